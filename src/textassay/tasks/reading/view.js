// The page of the reading task: a text unit by unit, then questions (the contract stands in page.js).
//
// A page that is loaded again while the text is read begins the text again, and `restarts` tells: the times of a text
// that somebody has seen before are not those of a first reading, and to go on in the middle would lose one unit's
// time. Loaded again at the questions, it goes on there; the text does not come back.
//
// A time limit runs from the first unit on, also while the page is loaded again. When it is over, the text goes away and
// the questions come; the unit on the screen has no time.

// The frame's own modules stand under the version that this script was asked for with.
const version = new URL(import.meta.url).searchParams.get("v");
const [{ Pacer }, { frame, measured, rounded }, { countDown, show: showTime }] = await Promise.all(
  ["pacing.js", "frames.js", "countdown.js"].map((name) => import(`/static/${version}/${name}`)),
);

const DASH = "-";
const JOINER = "\u2060"; // keeps a line from ending after a dash within a word
const trial = { restarts: 0, measures: {}, answer_ms: [], asked: undefined, kept: undefined, began: undefined };
let timedOut = false;
let stopClock = () => {};

export function start(form, page) {
  const units = [...form.querySelectorAll(".unit")];
  if (form.querySelector(".pace.moving-window")) units.forEach(mask);
  form.querySelector(".units").hidden = false; // from here on the style sheet hides them, and they keep their places
  trial.frame = form.querySelector(".paced");
  trial.page = page;
  trial.pacer = new Pacer(form.querySelector(".pace"), units.length, {
    show: (place) => show(form, page, units, place),
    end: (event) => finish(form, page, event),
  });
  if (limitMs()) showTime(form.querySelector("[data-left]"), Math.ceil(limitMs() / 1000));
  form.addEventListener("change", (event) => note(form, event));
  ready(form, page);
}

export function collect(form) {
  const { pacer, restarts, measures, kept } = trial;
  const answers = questions(form).map((question, index) => ({
    answer: question.querySelector("input:checked")?.value ?? null,
    rt_ms: trial.answer_ms[index] ?? null,
  }));
  // What was read before the page was loaded again stays as it was told then.
  if (kept) return { ...kept, answers };
  const over = limitMs() ? { timed_out: timedOut } : {};
  return { units: pacer.units, answers, ...pacer.told, restarts, ...measures, ...over };
}

export function draft(form) {
  return { ...collect(form), begun: trial.pacer.reading, began: trial.began };
}

export function restore(form, { begun, began, answers = [], ...before }) {
  if (before.units?.length !== trial.pacer.count && !before.timed_out) {
    trial.restarts = (before.restarts ?? 0) + (begun ? 1 : 0);
    trial.began = began;
    if (began && remaining() <= 0) over(form);
    return;
  }
  timedOut = before.timed_out === true;
  trial.kept = { units: before.units, answers, ...before };
  trial.answer_ms = answers.map((each) => each.rt_ms);
  questions(form).forEach((question, index) => {
    for (const radio of question.querySelectorAll("input")) radio.checked = radio.value === answers[index]?.answer;
  });
  trial.pacer.stop();
  ask(form);
}

const limitMs = () => 1000 * Number(trial.frame.dataset.limit ?? 0);
const questions = (form) => [...form.querySelectorAll(".asked fieldset")];

async function ready(form, page) {
  const [onset] = await Promise.all([page.onset, document.fonts.ready]);
  trial.measures = await measured();
  if (trial.kept || timedOut) return;
  trial.frame.dataset.state = "ready";
  trial.pacer.area.focus({ preventScroll: true });
  trial.pacer.listen(onset);
}

function show(form, page, units, place) {
  if (place === 0) {
    trial.frame.dataset.state = "reading";
    trial.pacer.area.setAttribute("aria-labelledby", "pace-on");
    if (limitMs()) limitTime(form);
    page.changed(); // so that a page that is loaded again knows that the text was begun
  }
  units[place - 1]?.classList.replace("now", "before");
  units[place].classList.add("now");
  const words = units[place].querySelector(".words") ?? units[place];
  form.querySelector("[data-aloud]").textContent = words.textContent.trim();
}

function limitTime(form) {
  trial.began ??= Date.now();
  stopClock = countDown(form.querySelector("[data-countdown]"), performance.now() + remaining(), () => over(form));
}

/** Milliseconds that are left; after a reload less than the limit. */
const remaining = () => trial.began + limitMs() - Date.now();

function over(form) {
  timedOut = true;
  trial.pacer.stop();
  finish(form, trial.page);
}

function finish(form, page, event) {
  ask(form);
  page.changed();
  if (questions(form).length === 0) page.submit(event);
}

async function ask(form) {
  stopClock();
  trial.frame.dataset.state = "read";
  form.querySelector("[data-time-up]")?.toggleAttribute("hidden", !timedOut);
  trial.frame.querySelector(".units").replaceChildren();
  form.querySelector("[data-aloud]").textContent = "";
  form.querySelector(".asked").hidden = false;
  // Not into the first question: a space bar still held down would answer it.
  form.querySelector("#asked-heading").focus();
  trial.asked = await frame();
}

/** When each question was answered: the last choice counts. */
function note(form, event) {
  const index = questions(form).indexOf(event.target.closest("fieldset"));
  if (index >= 0 && trial.asked !== undefined) trial.answer_ms[index] = rounded(event.timeStamp - trial.asked);
}

/** Dashes of the same length beside the words of a unit, one for each character that is seen as one. */
function mask(unit) {
  const words = Object.assign(document.createElement("span"), { className: "words" });
  words.append(...unit.childNodes);
  const letters = [...new Intl.Segmenter().segment(words.textContent.trim())].map(({ segment }) => segment);
  const dashes = letters.map((letter) => (/^\s+$/.test(letter) ? " " : DASH)).join("");
  const text = dashes.replaceAll(DASH + DASH, DASH + JOINER + DASH).replaceAll(DASH + DASH, DASH + JOINER + DASH);
  unit.append(words, Object.assign(document.createElement("span"), { className: "mask", textContent: text }));
}
