// Self-paced presentation: when each unit was on the screen, and when it was ended by a press.
//
// A unit's onset is the timestamp of the frame in which it was painted, never before the press that brought it. A press
// is the timestamp of the event itself: of the key going down, or of the finger or mouse button going down. A tap takes
// effect when it ends, for the finger may be about to scroll. Both times are on the browser's one fine clock. A press
// counts only if it came after the onset; a key that is held down counts once. What did not count is counted.

import { frame, rounded } from "./frames.js";

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
    // A frame carries the time at which its period began, which can lie before the press that asked for it.
    this.onset = Math.max(await frame(), this.pressed);
  }
}
