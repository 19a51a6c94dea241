// A page that is only looked at begins as if nobody had been there: what was entered at an earlier look is forgotten.

import { forgetAll } from "./draft.js";

forgetAll("/board/preview/");
