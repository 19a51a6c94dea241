// Frames of the screen and steps of the clock.
//
// What was changed before a frame's callbacks is painted in that frame, so its timestamp is when the change was painted.
// The screen lights up a frame or so later, the same each time, which no script can see.

const FRAMES = 12;
const STEPS = 20;

/** The timestamp of the next frame: the one in which what was just changed is painted. */
export const frame = () => new Promise(requestAnimationFrame);

/** Milliseconds to the microsecond. */
export const rounded = (ms) => Math.round(ms * 1000) / 1000;

/** How often the screen is painted (the median of some frames), and the smallest step of the clock. */
export async function measured() {
  const stamps = [];
  for (let count = 0; count <= FRAMES; count += 1) stamps.push(await frame());
  const gaps = stamps.slice(1).map((stamp, index) => stamp - stamps[index]).sort((a, b) => a - b);
  return { refresh_ms: rounded(gaps[FRAMES / 2]), resolution_ms: rounded(Math.min(...Array.from({ length: STEPS }, step))) };
}

function step() {
  const start = performance.now();
  let now = start;
  while (now === start) now = performance.now();
  return now - start;
}
