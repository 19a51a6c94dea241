// The answer "cannot judge", for every page that has it: `input[data-unjudged]` names the question. In a group of radio
// buttons it is one of them. Below a slider it is a check box, which counts in place of the slider: setting it brings the
// slider back to its middle without the tick, and moving the slider or setting its tick takes it off.

const boxes = (form) => [...form.querySelectorAll("[data-unjudged]")];

export function startUnjudged(form) {
  for (const box of boxes(form).filter((box) => box.type === "checkbox")) {
    const slider = form.querySelector(`input.slider[name="${box.dataset.unjudged}"]`);
    const tick = form.querySelector(`[data-confirms="${box.dataset.unjudged}"]`);
    const takeOff = () => (box.checked = false);
    slider.addEventListener("input", takeOff);
    tick.addEventListener("change", takeOff);
    box.addEventListener("change", () => {
      if (!box.checked) return;
      slider.value = slider.dataset.middle;
      slider.dispatchEvent(new Event("input")); // the slider's own script takes its tick off
      box.checked = true;
    });
  }
}

/** The part of an answer that says what could not be judged; empty where nothing is said. */
export function collectUnjudged(form) {
  const said = boxes(form).filter((box) => box.checked).map((box) => box.dataset.unjudged);
  return said.length ? { cannot_judge: said } : {};
}

export function restoreUnjudged(form, said = []) {
  for (const box of boxes(form)) box.checked = said.includes(box.dataset.unjudged);
}

/** The values without those of questions that could not be judged. */
export function judgedOnly(values, { cannot_judge: said = [] }) {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !said.includes(name)));
}
