// The page of the decision task: actions to an answer and back, and the time that is left for it (the contract stands
// in page.js).
//
// The server counts the time from the first opening of the page and says how much is left; here it is only shown.

// The frame's own modules stand under the version that this script was asked for with.
const version = new URL(import.meta.url).searchParams.get("v");
const { countDown } = await import(`/static/${version}/countdown.js`);

const ATTEMPTS = 5;
const boxes = (form) => [...form.querySelectorAll("input[name=chosen]")];
let timedOut = false;

export function start(form, page) {
  const { alone } = form.querySelector("[data-alone]").dataset;
  if (alone) form.addEventListener("change", ({ target }) => keepAlone(form, alone, target));
  const shown = form.querySelector("[data-countdown]");
  if (shown && page.limit) limitTime(form, shown, page);
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

/** When time is over, what is chosen goes out by itself. */
function limitTime(form, shown, page) {
  let attempts = 0;
  const stop = countDown(shown, page.limit.deadline, () => {
    // What is under way was handed in before. It may still come back with an error; then this goes on.
    if (form.inert) return;
    timedOut = true;
    page.changed();
    page.submit();
    attempts += 1;
    if (attempts === ATTEMPTS) stop();
  });
}
