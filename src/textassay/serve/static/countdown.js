// The time that is left, for pages with a time limit: shown all the time, said aloud only at the moments that the page
// has words for, so that nobody is hurried.

const TICK_MS = 250;

/**
 * Counts down and calls `over` at each tick from the deadline on, until it is stopped.
 * @param shown The element with `data-words`: seconds left → what is said then.
 * @param deadline On the clock of performance.now().
 * @returns What stops it.
 */
export function countDown(shown, deadline, over) {
  const [left, said] = [shown.querySelector("[data-left]"), shown.querySelector("[data-said]")];
  const words = JSON.parse(shown.dataset.words);
  const moments = Object.keys(words).map(Number).sort((a, b) => b - a);
  const [ending] = moments;
  const ahead = moments.filter((moment) => moment < (deadline - performance.now()) / 1000);
  if (!ahead.includes(0)) ahead.push(0);

  function tick() {
    const seconds = Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
    show(left, seconds);
    shown.classList.toggle("ending", seconds <= ending);
    while (ahead.length && seconds <= ahead[0]) said.textContent = words[ahead.shift()];
    if (seconds === 0) over();
  }

  const timer = setInterval(tick, TICK_MS);
  // Not at once: what was chosen before a reload is put back first.
  const soon = setTimeout(tick);
  const exactly = setTimeout(tick, Math.max(0, deadline - performance.now()) + 1);
  return () => [timer, soon, exactly].forEach(clearTimeout);
}

/** Minutes and seconds. */
export function show(left, seconds) {
  left.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
