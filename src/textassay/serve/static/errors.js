// Messages next to the fields that they are about; the first wrong field gets the focus.

const slot = (form, name) => form.querySelector(`[data-error="${CSS.escape(name)}"]`);
const field = (form, name) => form.querySelector(`[data-field="${CSS.escape(name)}"]`);

export function clearErrors(form) {
  for (const element of form.querySelectorAll("[data-error]")) element.textContent = "";
  for (const element of form.querySelectorAll("[aria-invalid]")) element.removeAttribute("aria-invalid");
}

export function showErrors(form, errors) {
  clearErrors(form);
  const wrong = [];
  for (const [name, message] of Object.entries(errors)) {
    const element = field(form, name);
    (slot(form, name) ?? slot(form, "")).textContent = message;
    if (!element) continue;
    element.setAttribute("aria-invalid", "true");
    wrong.push(element);
  }
  wrong.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
  focus(wrong[0]);
}

function focus(element) {
  if (!element) return;
  const inside = element.matches("fieldset") ? element.querySelector("input:checked, input") : element;
  inside.focus({ preventScroll: true });
  (element.closest("fieldset, .field") ?? element).scrollIntoView({ block: "center" });
}
