// The board keeps itself up to date: the server makes the page, this puts the new one in place of the old.

const EVERY_MS = 10000;

async function refresh() {
  if (document.hidden) return;
  try {
    const response = await fetch("/board");
    if (!response.ok) return;
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("board");
    const old = document.getElementById("board");
    if (fresh && !old.contains(document.activeElement)) old.replaceWith(fresh);
  } catch {
    // The server is not there; the next round asks again.
  }
}

setInterval(refresh, EVERY_MS);
