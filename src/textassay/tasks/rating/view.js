// The page of the rating task: radio scales and sliders to an answer and back (the contract stands in page.js).

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
  const unjudged = collectUnjudged(form);
  for (const radio of form.querySelectorAll("input[type=radio]:checked")) values[radio.name] = Number(radio.value);
  return { ratings: judgedOnly(values, unjudged), confirmed, ...unjudged, ...collectComments(form) };
}

export function restore(form, { ratings = {}, confirmed, cannot_judge: unjudged, ...written }) {
  for (const radio of form.querySelectorAll("input[type=radio]")) radio.checked = ratings[radio.name] === Number(radio.value);
  restoreSliders(form, ratings, confirmed);
  restoreUnjudged(form, unjudged);
  restoreComments(form, written);
}
