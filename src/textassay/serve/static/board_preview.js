// A previewed page starts empty: what was entered in an earlier preview is forgotten.

import { forgetAll } from "./draft.js";

forgetAll("/board/preview/");
