// The page of the preference task: sliders or buttons between two texts to an answer and back (the contract stands in
// page.js). Negative values prefer the text that comes first on the page.

// The frame's own modules stand under the version that this script was asked for with.
const version = new URL(import.meta.url).searchParams.get("v");
const { collectSliders, restoreSliders, startSliders } = await import(`/static/${version}/slider.js`);
const { collectComments, restoreComments } = await import(`/static/${version}/comments.js`);
const { collectUnjudged, judgedOnly, restoreUnjudged, startUnjudged } = await import(`/static/${version}/cannot_judge.js`);

export function start(form) {
  startSliders(form);
  startUnjudged(form);
}

export function collect(form) {
  const { values, confirmed } = collectSliders(form);
  for (const radio of form.querySelectorAll("input[type=radio]:checked")) values[radio.name] = Number(radio.value);
  const unjudged = collectUnjudged(form);
  return { preferences: judgedOnly(values, unjudged), confirmed, ...unjudged, ...collectComments(form) };
}

export function restore(form, { preferences = {}, confirmed, cannot_judge: unjudged, ...written }) {
  for (const radio of form.querySelectorAll("input[type=radio]")) {
    radio.checked = preferences[radio.name] === Number(radio.value);
  }
  restoreSliders(form, preferences, confirmed);
  restoreUnjudged(form, unjudged);
  restoreComments(form, written);
}
