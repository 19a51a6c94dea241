// Highlights one system or participant in all figures and tables at once.
//
// Elements that show one of them carry data-mark="system:NAME" or "participant:CODE". Pointing at one highlights all
// elements with the same mark; the buttons above the results do so for keyboard and touch, until pressed again.
"use strict";
(() => {
  const root = document.documentElement;
  const bar = document.querySelector(".marker");
  const elements = new Map();
  let kept = "";
  let shown = "";

  for (const element of document.querySelectorAll("[data-mark]")) {
    const mark = element.dataset.mark;
    if (!elements.has(mark)) elements.set(mark, []);
    elements.get(mark).push(element);
  }

  function show(mark) {
    if (mark === shown) return;
    for (const element of elements.get(shown) ?? []) element.classList.remove("is-marked");
    for (const element of elements.get(mark) ?? []) element.classList.add("is-marked");
    shown = mark;
    if (mark) root.dataset.marking = mark.slice(0, mark.indexOf(":"));
    else delete root.dataset.marking;
  }

  function keep(mark) {
    kept = mark;
    for (const button of bar?.querySelectorAll("button") ?? []) {
      button.setAttribute("aria-pressed", String(button.dataset.mark === kept));
    }
    show(kept);
  }

  function markOf(event) {
    const element = event.target instanceof Element ? event.target.closest("[data-mark]") : null;
    return element ? element.dataset.mark : "";
  }

  document.addEventListener("pointerover", (event) => show(markOf(event) || kept));
  document.addEventListener("focusin", (event) => show(markOf(event) || kept));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") keep("");
  });
  bar?.addEventListener("click", (event) => {
    const mark = markOf(event);
    if (mark) keep(mark === kept ? "" : mark);
  });
  if (bar) bar.hidden = false;

  // Collapsed parts are printed too.
  let closed = [];
  addEventListener("beforeprint", () => {
    closed = [...document.querySelectorAll("details:not([open])")];
    for (const details of closed) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
  });
})();
