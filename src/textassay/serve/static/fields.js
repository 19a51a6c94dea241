// The view of pages made of plain fields: consent, questionnaire; and of those without any: instructions, breaks.

const named = (form) => [...form.elements].filter((element) => element.name);

export function start(form) {
  for (const input of form.querySelectorAll("input[type=email]")) {
    const hint = form.querySelector(`#hint-${input.name}`);
    const usual = hint.textContent;
    // A hint, not a refusal: who insists may go on.
    input.addEventListener("change", () => {
      hint.textContent = input.validity.typeMismatch ? hint.dataset.implausible : usual;
    });
  }
}

export function collect(form) {
  const answer = {};
  for (const element of named(form)) {
    if (element.type === "checkbox") answer[element.name] = element.checked;
    else if (element.type !== "radio") answer[element.name] = element.value;
    else if (element.checked) answer[element.name] = element.value;
  }
  return answer;
}

/** Personal answers are not kept on the device while they are typed, only from submitting them until they are stored. */
export function draft(form) {
  const isPrivate = (name) => form.querySelector(`[name="${name}"][data-private]`) !== null;
  return Object.fromEntries(Object.entries(collect(form)).filter(([name]) => !isPrivate(name)));
}

export function restore(form, payload) {
  for (const element of named(form)) {
    const value = payload[element.name];
    if (value === undefined || value === null) continue;
    if (element.type === "checkbox") element.checked = value === true;
    else if (element.type === "radio") element.checked = element.value === value;
    else element.value = String(value);
  }
}
