// The board keeps itself up to date: the server makes the page, this puts the new one in place of the old.

import { forgetAll } from "./draft.js";

const EVERY_MS = 10000;
const STEPS = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];

/** Times as people say them; the exact one is a tooltip. */
function sayTimes(root) {
  const words = new Intl.RelativeTimeFormat(root.lang || document.documentElement.lang, { numeric: "auto" });
  for (const time of root.querySelectorAll("time[data-ago]")) {
    const seconds = Math.max(0, (Date.now() - Date.parse(time.dateTime)) / 1000);
    const [unit, size] = STEPS.find(([, length]) => seconds >= length) ?? STEPS.at(-1);
    time.title = time.textContent;
    time.textContent = words.format(-Math.floor(seconds / size), unit);
  }
}

async function refresh() {
  const old = document.getElementById("board");
  if (document.hidden || old.contains(document.activeElement)) return;
  try {
    const response = await fetch(location.href);
    if (!response.ok) return;
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("board");
    if (!fresh || old.contains(document.activeElement)) return;
    const at = [...old.querySelectorAll(".scroll")].map((part) => part.scrollLeft);
    old.replaceWith(fresh);
    [...fresh.querySelectorAll(".scroll")].forEach((part, index) => { part.scrollLeft = at[index] ?? 0; });
    sayTimes(fresh);
  } catch {
    // The server is not there; the next round asks again.
  }
}

async function copy(button) {
  const source = document.getElementById(button.dataset.copies);
  try {
    await navigator.clipboard.writeText(source.textContent);
    document.getElementById("said").textContent = button.dataset.done;
    button.textContent = button.dataset.done;
  } catch {
    getSelection().selectAllChildren(source);
  }
}

const board = document.getElementById("board");
sayTimes(board);
for (const button of board.querySelectorAll("[data-copies]")) button.addEventListener("click", () => copy(button));
if ("live" in board.dataset) setInterval(refresh, EVERY_MS);
forgetAll("/board/preview/");
