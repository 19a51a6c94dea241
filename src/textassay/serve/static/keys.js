// Keys for pages with scales: a digit answers the question that has the focus, or else the first that is not answered, and
// moves on; when all are answered, Enter continues.
//
// A group of radio buttons takes part with `data-digits`. A button's key is its `data-key`, or else its value; 0 stands for
// 10 where there is no 0. Values without a digit of their own (10 on a scale from 0, negative ones) have the arrow keys.
// Nothing is caught with a modifier or in a field, and a box turns it off: keys alone can get in the way of speech input.

const OFF = "textassay-keys-off";
const FIELDS = "textarea, select, [contenteditable], input:not([type=radio], [type=checkbox], [type=range])";
const ACTIVE = `${FIELDS}, a, button, summary, input`;
const QUESTIONS = "[role=radiogroup], input.slider, textarea[aria-required=true]";

export function startKeys(form) {
  if (!form.querySelector("[data-digits]")) return;
  const box = document.querySelector("[data-keys] input");
  let on = read() === null;
  const show = () => document.body.classList.toggle("keys", on);
  if (box) {
    box.checked = on;
    box.closest("[data-keys]").hidden = false;
    box.addEventListener("change", () => {
      on = box.checked;
      store(on);
      show();
    });
  }
  show();
  document.addEventListener("keydown", (event) => {
    if (!on || form.inert || event.repeat || event.isComposing || event.defaultPrevented) return;
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest(FIELDS)) return;
    if (/^\d$/.test(event.key)) chooseByDigit(form, event);
    else if (event.key === "Enter") continueIfAnswered(form, event);
  });
}

function chooseByDigit(form, event) {
  const focused = event.target.closest("[role=radiogroup]");
  const group = focused ?? [...form.querySelectorAll("[data-digits]")].find((each) => !isAnswered(each));
  const choice = group?.matches("[data-digits]") ? choiceOf(group, event.key) : null;
  if (!choice) return;
  event.preventDefault();
  choice.checked = true;
  choice.dispatchEvent(new Event("change", { bubbles: true }));
  moveOn(form);
}

function choiceOf(group, key) {
  const attribute = group.querySelector("[data-key]") ? "data-key" : "value";
  const find = (value) => group.querySelector(`input[${attribute}="${value}"]`);
  return find(key) ?? (key === "0" ? find("10") : null);
}

function continueIfAnswered(form, event) {
  // Elsewhere the browser knows what Enter means.
  if (event.target.closest(ACTIVE) || firstOpen(form)) return;
  event.preventDefault();
  form.requestSubmit();
}

function moveOn(form) {
  const open = firstOpen(form);
  const target = open?.matches("fieldset") ? open.querySelector("input") : (open ?? form.querySelector("button[type=submit]"));
  target.focus({ preventScroll: true });
  (target.closest("fieldset") ?? target).scrollIntoView({ block: "nearest" });
}

const firstOpen = (form) => [...form.querySelectorAll(QUESTIONS)].find((each) => !isAnswered(each));

function isAnswered(question) {
  if (question.matches("textarea")) return question.value.trim() !== "";
  const fieldset = question.closest("fieldset");
  if (question.matches(".slider")) return !question.matches(".unset") || fieldset.querySelector("[data-unjudged]:checked");
  return question.querySelector("input:checked") !== null;
}

function read() {
  try {
    return localStorage.getItem(OFF);
  } catch {
    return null; // Not allowed, so it cannot have been turned off.
  }
}

function store(on) {
  try {
    if (on) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "1");
  } catch {
    // Then it holds for this page.
  }
}
