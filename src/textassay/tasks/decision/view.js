// The page of the decision task: actions to an answer and back, and the time that is left for it (the contract stands
// in page.js).
//
// The server counts the time from the first opening of the page and says how much is left; here it is only shown. When
// it is over, what is chosen goes out by itself. Only the last seconds are said aloud, so that nobody is hurried.

const TICK_MS = 250;
const ATTEMPTS = 5;
const boxes = (form) => [...form.querySelectorAll("input[name=chosen]")];
let timedOut = false;

export function start(form, page) {
  const { alone } = form.querySelector("[data-alone]").dataset;
  if (alone) form.addEventListener("change", ({ target }) => keepAlone(form, alone, target));
  const shown = form.querySelector("[data-countdown]");
  if (shown && page.limit) countDown(form, shown, page);
}

export function collect(form) {
  const chosen = boxes(form).filter((box) => box.checked).map((box) => box.value);
  return { chosen, timed_out: timedOut };
}

export function restore(form, { chosen = [], timed_out = false }) {
  for (const box of boxes(form)) box.checked = chosen.includes(box.value);
  timedOut = timedOut || timed_out === true;
}

/** Doing nothing takes all other choices off, and any other choice takes it off. */
function keepAlone(form, alone, target) {
  if (target.name !== "chosen" || !target.checked) return;
  for (const box of boxes(form)) if ((box.value === alone) !== (target.value === alone)) box.checked = false;
}

function countDown(form, shown, page) {
  const [left, said] = [shown.querySelector("[data-left]"), shown.querySelector("[data-said]")];
  const words = JSON.parse(shown.dataset.words);
  const moments = Object.keys(words).map(Number).sort((a, b) => b - a);
  const [ending] = moments;
  const ahead = moments.filter((moment) => moment < page.limit.remaining);
  let attempts = 0;

  function tick() {
    const seconds = Math.max(0, Math.ceil((page.limit.deadline - performance.now()) / 1000));
    left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    shown.classList.toggle("ending", seconds <= ending);
    while (ahead.length && seconds <= ahead[0]) said.textContent = words[ahead.shift()];
    // What is under way was handed in before. It may still come back with an error; then this goes on.
    if (seconds === 0 && !form.inert) over();
  }

  function over() {
    timedOut = true;
    page.changed();
    page.submit();
    attempts += 1;
    if (attempts === ATTEMPTS) clearInterval(timer);
  }

  const timer = setInterval(tick, TICK_MS);
  // Not at once: what was chosen before a reload is put back first.
  setTimeout(tick);
}
