// What participants write in boxes: the comment of a trial (`#comment`), and why a question was answered so
// (`textarea[data-why]`, which names the question).

const reasons = (form) => [...form.querySelectorAll("textarea[data-why]")];

/** The part of an answer that was written; empty where the page has no boxes. */
export function collectComments(form) {
  const comment = form.querySelector("#comment");
  const why = Object.fromEntries(reasons(form).map((box) => [box.dataset.why, box.value]));
  return { ...(Object.keys(why).length && { why }), ...(comment && { comment: comment.value }) };
}

export function restoreComments(form, { comment, why = {} }) {
  const box = form.querySelector("#comment");
  if (box && comment) box.value = comment;
  for (const reason of reasons(form)) reason.value = why[reason.dataset.why] ?? reason.value;
}
