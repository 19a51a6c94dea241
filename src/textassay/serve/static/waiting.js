// A page that waits for a free place: it looks again and again, and changes when there is one.

const { again, seconds } = document.querySelector("[data-again]").dataset;

async function look() {
  try {
    const response = await fetch(again, { cache: "no-store" });
    if (response.ok && !response.headers.has("Retry-After")) {
      location.replace(again);
      return;
    }
  } catch {
    // The server is not there; the next round asks again.
  }
  lookLater();
}

/** Not everybody at the same moment. */
function lookLater() {
  setTimeout(look, Number(seconds) * 1000 * (0.8 + 0.4 * Math.random()));
}

lookLater();
