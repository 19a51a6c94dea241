// The page of the preference task: sliders or buttons between two texts to an answer and back (the contract stands in
// page.js). Negative values prefer the text that comes first on the page.

// The frame's own modules stand under the version that this script was asked for with.
const version = new URL(import.meta.url).searchParams.get("v");
const { collectSliders, restoreSliders, startSliders } = await import(`/static/${version}/slider.js`);

export const start = startSliders;

export function collect(form) {
  const { values, confirmed } = collectSliders(form);
  for (const radio of form.querySelectorAll("input[type=radio]:checked")) values[radio.name] = Number(radio.value);
  const comment = form.querySelector("#comment");
  return { preferences: values, confirmed, ...(comment && { comment: comment.value }) };
}

export function restore(form, { preferences = {}, confirmed, comment }) {
  for (const radio of form.querySelectorAll("input[type=radio]")) {
    radio.checked = preferences[radio.name] === Number(radio.value);
  }
  restoreSliders(form, preferences, confirmed);
  const box = form.querySelector("#comment");
  if (box && comment) box.value = comment;
}
