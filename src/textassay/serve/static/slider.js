// The unmarked slider with its tick, for every page that has one: `input.slider` with `data-middle`, `data-words-middle`,
// `data-words-low` and `data-words-high`, and a check box that names it in `data-confirms`.
//
// The slider starts in the middle and shows no number. The middle counts only with its tick, however it was reached:
// never moved, or moved away and back. Moving away takes the tick off; setting the tick brings the slider back to the
// middle, which a finger could hardly hit exactly.

const sliders = (form) => [...form.querySelectorAll("input.slider")];
const tickOf = (form, slider) => form.querySelector(`[data-confirms="${slider.name}"]`);
const isMiddle = (slider) => slider.value === slider.dataset.middle;

export function startSliders(form) {
  for (const slider of sliders(form)) {
    const tick = tickOf(form, slider);
    slider.addEventListener("input", () => {
      tick.checked = false;
      describe(slider, tick);
    });
    tick.addEventListener("change", () => {
      if (tick.checked) slider.value = slider.dataset.middle;
      describe(slider, tick);
    });
    describe(slider, tick);
  }
}

/** Positions of the sliders, and which boxes are ticked: two mappings by the slider's name. */
export function collectSliders(form) {
  const all = sliders(form);
  const byName = (value) => Object.fromEntries(all.map((slider) => [slider.name, value(slider)]));
  return { values: byName((slider) => Number(slider.value)), confirmed: byName((slider) => tickOf(form, slider).checked) };
}

/** Restores values and ticks. A stored answer has no ticks: a stored middle had been confirmed. */
export function restoreSliders(form, values, confirmed) {
  for (const slider of sliders(form)) {
    const tick = tickOf(form, slider);
    slider.value = values[slider.name] ?? slider.dataset.middle;
    tick.checked = confirmed ? confirmed[slider.name] === true : slider.name in values && isMiddle(slider);
    describe(slider, tick);
  }
}

/** Tell assistive technology in words the slider's position, and show whether it counts as an answer yet. */
function describe(slider, tick) {
  const [middle, high] = [slider.dataset.middle, slider.max].map(Number);
  const distance = (Number(slider.value) - middle) / (high - middle);
  const words = JSON.parse(distance < 0 ? slider.dataset.wordsLow : slider.dataset.wordsHigh);
  const degree = Math.abs(distance) === 1 ? 3 : Math.floor(Math.abs(distance) * 3);
  slider.setAttribute("aria-valuetext", distance === 0 ? slider.dataset.wordsMiddle : words[degree]);
  slider.classList.toggle("unset", isMiddle(slider) && !tick.checked);
}
