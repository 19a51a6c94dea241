// The page of the rating task: radio scales and sliders to an answer and back (the contract stands in page.js).
//
// The slider starts in the middle and shows no number. The middle counts only with its tick, however it was reached:
// never moved, or moved away and back. Moving away takes the tick off; setting the tick brings the slider back to the
// middle, which a finger could hardly hit exactly.

const sliders = (form) => [...form.querySelectorAll("input.slider")];
const tickOf = (form, slider) => form.querySelector(`[data-confirms="${slider.name}"]`);
const isMiddle = (slider) => slider.value === slider.dataset.middle;

export function start(form) {
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
  for (const group of form.querySelectorAll("[data-digits]")) group.addEventListener("keydown", chooseByDigit);
}

export function collect(form) {
  const answer = { ratings: {}, confirmed: {} };
  for (const radio of form.querySelectorAll("input[type=radio]:checked")) answer.ratings[radio.name] = Number(radio.value);
  for (const slider of sliders(form)) {
    answer.ratings[slider.name] = Number(slider.value);
    answer.confirmed[slider.name] = tickOf(form, slider).checked;
  }
  const comment = form.querySelector("#comment");
  return comment ? { ...answer, comment: comment.value } : answer;
}

export function restore(form, { ratings = {}, confirmed, comment }) {
  for (const radio of form.querySelectorAll("input[type=radio]")) radio.checked = ratings[radio.name] === Number(radio.value);
  for (const slider of sliders(form)) {
    const tick = tickOf(form, slider);
    slider.value = ratings[slider.name] ?? slider.dataset.middle;
    // A stored answer has no ticks: whatever middle was stored had been confirmed.
    tick.checked = confirmed ? confirmed[slider.name] === true : slider.name in ratings && isMiddle(slider);
    describe(slider, tick);
  }
  const box = form.querySelector("#comment");
  if (box && comment) box.value = comment;
}

/** Tell assistive technology in words where the slider stands, and show whether it says anything yet. */
function describe(slider, tick) {
  const [middle, high] = [slider.dataset.middle, slider.max].map(Number);
  const distance = (Number(slider.value) - middle) / (high - middle);
  const words = JSON.parse(distance < 0 ? slider.dataset.wordsLow : slider.dataset.wordsHigh);
  const degree = Math.abs(distance) === 1 ? 3 : Math.floor(Math.abs(distance) * 3);
  slider.setAttribute("aria-valuetext", distance === 0 ? slider.dataset.wordsMiddle : words[degree]);
  slider.classList.toggle("unset", isMiddle(slider) && !tick.checked);
}

/** A digit chooses the button that shows it; 0 stands for 10 where there is no 0. */
function chooseByDigit(event) {
  if (!/^\d$/.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
  const find = (value) => event.currentTarget.querySelector(`input[value="${value}"]`);
  const radio = find(event.key) ?? (event.key === "0" ? find("10") : null);
  if (!radio) return;
  radio.checked = true;
  radio.focus();
  radio.dispatchEvent(new Event("change", { bubbles: true }));
}
