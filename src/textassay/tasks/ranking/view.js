// The page of the ranking task: sorted lists to an answer and back (the contract stands in page.js).

// The frame's own modules stand under the version that this script was asked for with.
const version = new URL(import.meta.url).searchParams.get("v");
const { sortings } = await import(`/static/${version}/sorting.js`);

let lists;

export function start(form, page) {
  lists = sortings(form, page);
}

export function collect(form) {
  const answer = { rankings: {}, confirmed: {} };
  for (const [name, list] of lists) {
    answer.rankings[name] = list.groups;
    answer.confirmed[name] = list.confirmed;
  }
  const comment = form.querySelector("#comment");
  return comment ? { ...answer, comment: comment.value } : answer;
}

export function restore(form, { rankings = {}, confirmed, comment }) {
  for (const [name, list] of lists) {
    if (name in rankings) list.restore({ groups: rankings[name], confirmed: confirmed?.[name] });
  }
  const box = form.querySelector("#comment");
  if (box && comment) box.value = comment;
}
