// The frame around every page that a participant answers: draft, timing, sending, errors.
//
// What a page asks is the business of its *view*, a module with
//   start(form, page)         optional: wire up the page; `page` has `onset` (promise of the time at which the page was
//                             seen), `changed()` (keep the draft now), `submit(event)` (answer without the button) and,
//                             where the trial has a time limit, `limit`: its `seconds`, those `remaining` when the page
//                             was made, and the `deadline` on the clock of performance.now(); what is sent from then on
//                             says that time was over
//   collect(form)             the answer so far, as plain JSON
//   draft(form)               optional: what of it may be kept on this device before it is submitted; by default all
//   restore(form, payload)    put a draft or a stored answer back
//   showErrors(form, errors)  optional: field → message; by default next to the elements marked with data-error
// A trial names its task's own module; all other pages share fields.js.

import { Draft, waiting } from "./draft.js";
import { clearErrors, showErrors } from "./errors.js";
import { startKeys } from "./keys.js";
import { startPassages } from "./passages.js";
import { Refused, deliver, newId } from "./send.js";
import { Clock } from "./timing.js";

const form = document.getElementById("answer");
const notice = document.getElementById("notice");
const settings = JSON.parse(form.dataset.page);
const view = await import(settings.view ?? "./fields.js");

const draft = new Draft(location.pathname);
const clock = new Clock(draft);
const limit = settings.limit && { ...settings.limit, deadline: fetched() + 1000 * settings.limit.remaining };
let sending = false;
const others = sendOthers();

/** When the server had made the page, or a little later: no participant loses time to the network. */
function fetched() {
  return performance.getEntriesByType("navigation")[0]?.responseStart ?? 0;
}

function say(text) {
  if (notice.textContent === text) return;
  notice.textContent = text;
  notice.classList.toggle("shown", text !== "");
  if (text) notice.scrollIntoView({ block: "nearest" }); // what was submitted by itself may be far above it
}

function lock(locked) {
  sending = locked;
  form.inert = locked;
  form.setAttribute("aria-busy", String(locked));
}

/** What goes to the server. It is kept on this device until it is there; retries and reloads send it with the same id. */
function letter(moment) {
  const told = clock.answered(moment);
  if (limit && Math.max(moment, performance.now()) >= limit.deadline) told.client.time_over = true;
  const body = {
    answer_id: newId(), page: settings.key, payload: view.collect(form), replaces: settings.answer_id, ...told,
  };
  draft.write({ pending: body });
  return body;
}

function submit(event) {
  event?.preventDefault();
  if (!sending) send(letter(clock.momentOf(event)));
}

async function send(body) {
  clearErrors(form);
  lock(true);
  try {
    await others;
    const reply = await deliver(form.action, body, sayWaiting);
    say("");
    if (reply.errors) return correct(reply.errors);
    draft.clear();
    if (reply.message) explain(reply);
    else location.assign(reply.next);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // Sent again as it is, it would be refused again.
    draft.write({ pending: undefined, payload: body.payload });
    say(notice.dataset.refused);
    lock(false);
  }
}

function sayWaiting() {
  say(draft.kept ? notice.dataset.waiting : notice.dataset.unsaved);
}

function correct(errors) {
  draft.write({ pending: undefined });
  lock(false);
  (view.showErrors ?? showErrors)(form, errors);
}

/** Says which answer counts, where it is not the one that this page shows, and leads to the current page. */
function explain({ message, next }) {
  const words = document.getElementById("explanation").content;
  words.querySelector("[data-message]").textContent = message;
  words.querySelector("a").href = next;
  document.querySelector("main").replaceChildren(words);
  document.querySelector("main h1").focus();
}

/** Answers to other pages that were submitted here, but never acknowledged, go first. */
async function sendOthers() {
  for (const other of waiting(new URL(form.action).pathname.replace(/\/answers$/, ""))) {
    if (other.key === draft.key) continue;
    try {
      const reply = await deliver(form.action, other.read().pending, () => say(notice.dataset.waiting));
      say(reply.next && (reply.late || !reply.stored) ? notice.dataset.late : "");
      if (reply.next) other.clear();
      else other.write({ pending: undefined });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      other.write({ pending: undefined });
    }
  }
}

const changed = () => draft.write({ payload: (view.draft ?? view.collect)(form) });

view.start?.(form, { onset: clock.onset, changed, submit, limit });
if (draft.read().pending && draft.read().pending.answer_id === settings.answer_id) draft.write({ pending: undefined });
const { payload, pending } = draft.read();
const before = pending?.payload ?? payload ?? settings.answer;
if (before) view.restore(form, before);

startPassages(form);
startKeys(form);
form.addEventListener("input", changed);
form.addEventListener("change", changed);
form.addEventListener("submit", submit);
// Going back must ask the server which page is due, not show a page from memory.
window.addEventListener("pageshow", (event) => event.persisted && location.reload());
window.addEventListener("beforeunload", (event) => {
  if (sending && !draft.kept && !draft.cleared) event.preventDefault();
});

// Until here a press would have sent the form past this script.
form.querySelector("button[type=submit]").disabled = false;
// Submitted before the tab was closed, but never acknowledged: it goes out now.
if (pending) send(pending);
