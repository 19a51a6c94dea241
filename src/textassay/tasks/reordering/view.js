// The page of the reordering task: a sorted list and its moves to an answer and back (the contract stands in page.js).

// The frame's own modules stand under the version that this script was asked for with.
const version = new URL(import.meta.url).searchParams.get("v");
const { sortings } = await import(`/static/${version}/sorting.js`);

let list;

export function start(form, page) {
  list = sortings(form, page).get("order");
}

export function collect(form) {
  const answer = { order: list.order, moves: list.moves, confirmed: list.confirmed };
  const comment = form.querySelector("#comment");
  return comment ? { ...answer, comment: comment.value } : answer;
}

export function restore(form, { order, moves, confirmed, comment }) {
  if (order) list.restore({ groups: order.map((id) => [id]), moves, confirmed });
  const box = form.querySelector("#comment");
  if (box && comment) box.value = comment;
}
