// Self-paced presentation: when each unit was on the screen, and when the press came that ended it.
//
// A unit's onset is the timestamp of the frame after the one in which it was painted (two animation frames). A press is
// the timestamp of the event itself: of the key going down, or of the finger or mouse button going down. A tap takes
// effect when it ends, for the finger may be about to scroll. Both times are on the browser's one fine clock. A press
// counts only if it came after the onset; a key that is held down counts once. What did not count is counted.

const frame = () => new Promise(requestAnimationFrame);
const rounded = (ms) => Math.round(ms * 1000) / 1000;
const FRAMES = 12;
const STEPS = 5;
const BEFORE = -1;

export class Pacer {
  /** @param area Where taps count. @param count Units. @param show Shows one. @param end Called after the last press. */
  constructor(area, count, { show, end }) {
    Object.assign(this, { area, count, show, end });
    this.place = BEFORE;
    this.units = [];
    this.told = { hidden: 0, blurred: 0, ignored: 0 };
  }

  get reading() {
    return this.place > BEFORE && this.place < this.count;
  }

  /** From now on presses count; the first one shows the first unit. */
  listen(onset) {
    this.onset = onset;
    const { signal } = (this.ears = new AbortController());
    window.addEventListener("keydown", (event) => this.#key(event), { signal });
    this.area.addEventListener("pointerdown", (event) => { this.down = event.timeStamp; }, { signal });
    this.area.addEventListener("click", (event) => this.#click(event), { signal });
    window.addEventListener("blur", () => this.#count("blurred"), { signal });
    document.addEventListener("visibilitychange", () => document.hidden && this.#count("hidden"), { signal });
  }

  /** Nothing more to read. */
  stop() {
    this.place = this.count;
    this.ears?.abort();
  }

  #count(what) {
    if (this.reading) this.told[what] += 1;
  }

  #key(event) {
    const inside = this.area.contains(event.target);
    const elsewhere = !inside && event.target.closest?.("a, button, input, select, textarea");
    const means = event.key === " " ? !elsewhere : event.key === "Enter" && inside;
    if (!means || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault(); // the page would scroll
    if (event.repeat) this.#count("ignored");
    else this.#press(event.timeStamp, event);
  }

  #click(event) {
    // A screen reader clicks without a finger.
    const moment = this.down ?? event.timeStamp;
    this.down = undefined;
    this.#press(moment, event);
  }

  #press(moment, event) {
    if (!(moment > this.onset)) return this.#count("ignored");
    if (this.reading) {
      const [rt_ms, delay_ms] = [moment - this.onset, this.onset - this.pressed].map(rounded);
      this.units.push({ position: this.place + 1, rt_ms, delay_ms });
    }
    this.pressed = moment;
    this.onset = undefined;
    this.place += 1;
    if (this.place === this.count) {
      this.stop();
      return this.end(event);
    }
    this.show(this.place);
    return this.#seen();
  }

  async #seen() {
    this.onset = await painted();
  }
}

/** The time at which what was just changed has been seen. */
export async function painted() {
  await frame();
  return frame();
}

/** How often the screen is painted, and the smallest step of the clock. */
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
