// The frame around every page that a participant answers: draft, timing, sending, errors.
//
// What a page asks is the business of its *view*, a module with
//   start(form, page)         optional: wire up the page; `page` has `onset` (promise of the time at which the page was
//                             seen), `changed()` (keep the draft now), `submit(event)` (answer without the button) and,
//                             where the trial has a time limit, `limit`: its `seconds`, those `remaining` when the page
//                             was made, and the `deadline` on the clock of performance.now(); what is sent from then on
//                             says that time was over
//   collect(form)             the answer so far, as plain JSON
//   draft(form)               optional: what of it may be kept on this device until then; by default all
//   restore(form, payload)    put a draft or a stored answer back
//   showErrors(form, errors)  optional: field → message; by default next to the elements marked with data-error
// A trial names its task's own module; all other pages share fields.js.

import { Draft } from "./draft.js";
import { clearErrors, showErrors } from "./errors.js";
import { Refused, deliver, newId } from "./send.js";
import { Clock } from "./timing.js";

const form = document.getElementById("answer");
const notice = document.getElementById("notice");
const settings = JSON.parse(form.dataset.page);
const view = await import(settings.view ?? "./fields.js");

const draft = new Draft(location.pathname, { mayKeepAnswer: !settings.private });
const clock = new Clock(draft);
const limit = settings.limit && { ...settings.limit, deadline: fetched() + 1000 * settings.limit.remaining };
let sending = false;

/** When the server had made the page, or a little later: no participant loses time to the network. */
function fetched() {
  return performance.getEntriesByType("navigation")[0]?.responseStart ?? 0;
}

function say(text) {
  notice.textContent = text;
  notice.classList.toggle("shown", text !== "");
}

function lock(locked) {
  sending = locked;
  form.inert = locked;
  form.setAttribute("aria-busy", String(locked));
}

/** What goes to the server. The same answer keeps its id over retries and reloads, so that it is stored once. */
function letter(moment) {
  const payload = view.collect(form);
  const before = draft.read().pending;
  if (before && JSON.stringify(before.payload) === JSON.stringify(payload)) return before;
  const told = clock.answered(moment);
  if (limit && Math.max(moment, performance.now()) >= limit.deadline) told.client.time_over = true;
  const body = { answer_id: newId(), page: settings.key, payload, ...told };
  draft.write({ pending: body });
  return body;
}

async function submit(event) {
  event?.preventDefault();
  if (sending) return;
  const body = letter(clock.momentOf(event));
  clearErrors(form);
  lock(true);
  try {
    const reply = await deliver(form.action, body, () => say(notice.dataset.waiting));
    say("");
    if (!reply.errors) return leave(reply.next);
    draft.write({ pending: undefined });
    lock(false);
    (view.showErrors ?? showErrors)(form, reply.errors);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say(notice.dataset.refused);
    lock(false);
  }
}

function leave(next) {
  draft.clear();
  location.assign(next);
}

const changed = () => draft.write({ payload: (view.draft ?? view.collect)(form) });

view.start?.(form, { onset: clock.onset, changed, submit, limit });
const kept = draft.read();
if (kept.pending && kept.pending.answer_id === settings.answer_id) draft.write({ pending: undefined });
const before = kept.payload ?? settings.answer;
if (before) view.restore(form, before);

form.addEventListener("input", changed);
form.addEventListener("change", changed);
form.addEventListener("submit", submit);
// Going back must ask the server which page is due, not show a page from memory.
window.addEventListener("pageshow", (event) => event.persisted && location.reload());

// Until here a press would have sent the form past this script.
form.querySelector("button[type=submit]").disabled = false;
// Handed in before the tab was closed, but never acknowledged: it goes out now.
if (draft.read().pending) submit();
