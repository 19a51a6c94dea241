// Long passages of a page: what scrolls within its box can be reached with the Tab key, a passage that is closed leaves
// the reader at its heading, and a link leads to the questions as long as they are further down.

export function startPassages(form) {
  const boxes = [...form.querySelectorAll(".scrolls, .words pre, .entry-text pre")];
  const observer = new ResizeObserver((changes) => changes.forEach(({ target }) => markScrollable(target)));
  for (const box of boxes) observer.observe(box);

  const passages = [...form.querySelectorAll("details.passage")];
  for (const passage of passages) {
    passage.addEventListener("toggle", () => {
      for (const box of passage.querySelectorAll(".scrolls")) markScrollable(box);
      if (!passage.open) passage.scrollIntoView({ block: "nearest" });
    });
  }
  if (passages.length) leadToQuestions(form);
}

function markScrollable(box) {
  const scrolls = box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
  if (scrolls) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
}

function leadToQuestions(form) {
  const link = form.querySelector(".to-questions");
  const first = form.querySelector(".criterion");
  if (!link || !first) return;
  // Whatever is above the window counts as reached, however fast the page was scrolled.
  const reached = new IntersectionObserver((changes) => (link.hidden = changes.at(-1).isIntersecting), {
    rootMargin: "10000000px 0px 0px 0px",
  });
  reached.observe(first);
  link.addEventListener("click", (event) => {
    event.preventDefault(); // without an address of its own in the history
    first.scrollIntoView({ block: "start" });
    first.querySelector("input:checked, input, button")?.focus({ preventScroll: true });
  });
}
