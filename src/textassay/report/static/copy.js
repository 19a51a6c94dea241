// Copies a part of the page, with its headings, from a button beside it.
//
// Selecting and copying works from the disk and in every browser, and keeps headings for word processors; the clipboard
// interface is the second choice. Without this script the button stays hidden, and the text can be selected by hand.
"use strict";
(() => {
  async function copy(element) {
    const selection = getSelection();
    const before = selection.rangeCount ? selection.getRangeAt(0) : null;
    selection.selectAllChildren(element);
    const done = document.execCommand("copy");
    selection.removeAllRanges();
    if (before) selection.addRange(before);
    if (!done) await navigator.clipboard.writeText(element.innerText);
  }

  for (const button of document.querySelectorAll("button[data-copy]")) {
    const said = button.parentElement.querySelector("[role=status]");
    button.hidden = false;
    button.addEventListener("click", () => {
      copy(document.getElementById(button.dataset.copy)).then(
        () => { said.textContent = "Copied."; },
        () => { said.textContent = "Not copied: please select the text."; },
      );
    });
  }
})();
