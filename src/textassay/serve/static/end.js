// The last page: nothing of the participant stays on this device; the completion code can be copied.

import { forgetAll } from "./draft.js";

forgetAll(location.pathname);

const button = document.querySelector("[data-copy]");
const code = document.getElementById("code");
const said = document.getElementById("copied");

button?.addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(code.textContent);
    said.textContent = button.dataset.copied;
  } catch {
    getSelection().selectAllChildren(code);
    said.textContent = button.dataset.select;
  }
});
