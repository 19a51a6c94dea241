// When a page was seen and when it was answered, both on the browser's one fine clock, and what disturbed it.
//
// Onset is the timestamp of the frame in which the page was painted, with all its images there. The answer's time is the
// timestamp of the key or pointer event itself, not of the code that handles it. A page that is loaded again goes on
// counting: `rt_ms` is the time over all its loads, and `client.loads` tells.

import { frame, measured, rounded } from "./frames.js";

const asTime = (stamp) => new Date(performance.timeOrigin + stamp).toISOString();
const RECENT_MS = 1000;

export class Clock {
  constructor(draft) {
    this.draft = draft;
    const { started_at, spent_ms = 0, loads = 0 } = draft.read();
    this.before = { started_at, spent_ms, loads: loads + 1 };
    this.seen = undefined;
    this.pressed = -Infinity;
    this.disturbed = { hidden: 0, hidden_ms: 0, blurred: 0 };
    this.onset = this.#onset();
    this.#watch();
  }

  /** The time of the press that made this event, of the event itself where nothing was pressed, or without one now. */
  momentOf(event) {
    if (!event) return performance.now();
    const now = event.timeStamp;
    return now - this.pressed < RECENT_MS ? this.pressed : now;
  }

  /** What the server is told about an answer given at that moment. */
  answered(moment) {
    const seen = this.seen ?? moment;
    return {
      started_at: this.before.started_at ?? asTime(seen),
      answered_at: asTime(moment),
      rt_ms: rounded(Math.max(0, this.before.spent_ms + moment - seen)),
      client: { ...this.disturbed, ...this.screen, ...this.precision, loads: this.before.loads },
    };
  }

  get screen() {
    return {
      viewport: [window.innerWidth, window.innerHeight],
      pixel_ratio: window.devicePixelRatio,
      pointer: matchMedia("(pointer: coarse)").matches ? "coarse" : "fine",
    };
  }

  async #onset() {
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
    this.seen = await frame();
    this.draft.write({ started_at: this.before.started_at ?? asTime(this.seen), loads: this.before.loads });
    this.#measure();
    return this.seen;
  }

  /** How fine the clock is and how often the screen is painted, measured after the page is there. */
  async #measure() {
    this.precision = { ...(await measured()), isolated: crossOriginIsolated };
  }

  #watch() {
    const press = (event) => { this.pressed = event.timeStamp; };
    window.addEventListener("click", press, true);
    window.addEventListener("keydown", press, true);
    window.addEventListener("blur", () => { this.disturbed.blurred += 1; });
    let since;
    document.addEventListener("visibilitychange", (event) => {
      if (document.hidden) {
        since = event.timeStamp;
        this.disturbed.hidden += 1;
      } else if (since !== undefined) {
        this.disturbed.hidden_ms = rounded(this.disturbed.hidden_ms + event.timeStamp - since);
      }
    });
    window.addEventListener("pagehide", (event) => {
      if (this.seen === undefined || this.draft.cleared) return;
      this.draft.write({ spent_ms: rounded(this.before.spent_ms + event.timeStamp - this.seen) });
    });
  }
}
