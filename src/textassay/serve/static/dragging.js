// Dragging the entries of a list with mouse, pen or finger; sorting.js decides what happens to the list.

const THRESHOLD_PX = 5;
const EDGE_PX = 64;
const movable = (entry) => (entry?.hasAttribute("data-fixed") ? null : entry);
const centre = (entry) => entry.offsetTop + entry.offsetHeight / 2;

/** Whether the pointer is on the bar with which a long text is scrolled. */
const onScrollbar = ({ target, offsetX }) => target.clientWidth > 0 && (offsetX < 0 || offsetX > target.clientWidth);

export class Dragging {
  #sorting;
  #drag;

  constructor(sorting) {
    this.#sorting = sorting;
    sorting.list.addEventListener("pointerdown", (event) => this.#grab(event));
    sorting.list.addEventListener("dragstart", (event) => event.preventDefault()); // of an image in an entry
  }

  /** Whether an entry is held. */
  get active() {
    return this.#drag !== undefined;
  }

  #grab(event) {
    const entry = event.target.closest(".entry");
    if (!movable(entry) || event.button !== 0 || this.active) return;
    // A finger on the text scrolls the page; a mouse may take an entry anywhere.
    const elsewhere = event.pointerType !== "mouse" || event.target.closest("button, label, a, input") || onScrollbar(event);
    if (!event.target.closest(".grip") && elsewhere) return;
    const end = new AbortController();
    const held = this.#sorting.taken(entry, event);
    this.#drag = { entry, held, end, pointer: event.pointerId, from: [event.clientX, event.clientY], moving: false };
    entry.setPointerCapture(event.pointerId);
    const on = (name, handle) => entry.addEventListener(name, handle, { signal: end.signal, passive: false });
    on("pointermove", (moved) => this.#moved(moved));
    on("pointerup", (up) => this.#release(up));
    on("pointercancel", (cancel) => this.#release(cancel));
    // Or the browser takes the drag for a swipe, and the next tap only for what stops the page from rolling on.
    on("touchmove", (touch) => touch.preventDefault());
    const escape = (key) => key.key === "Escape" && this.#release(key, true);
    window.addEventListener("keydown", escape, { signal: end.signal });
  }

  #moved(event) {
    const drag = this.#drag;
    if (event.pointerId !== drag.pointer) return;
    const [x, y] = drag.from;
    drag.y = event.clientY;
    if (!drag.moving) {
      if (Math.hypot(event.clientX - x, event.clientY - y) < THRESHOLD_PX) return;
      drag.moving = true;
      drag.offset = y - drag.entry.getBoundingClientRect().top;
      drag.entry.classList.add("dragged");
      this.#sorting.root.classList.add("dragging");
      this.#scroll();
    }
    this.#follow();
  }

  /** Bring the entry under the pointer, and its neighbours around it. */
  #follow() {
    const { entry, y, offset } = this.#drag;
    const top = y - offset - this.#sorting.list.getBoundingClientRect().top;
    const bottom = top + entry.offsetHeight;
    const above = () => movable(entry.previousElementSibling);
    const below = () => entry.nextElementSibling;
    const step = (by) => this.#sorting.place(entry, this.#sorting.placeOf(entry) + by);
    // A neighbour gives way when the edge of the entry has come to its middle.
    while (above() && top < centre(above())) step(-1);
    while (below() && bottom > centre(below())) step(1);
    entry.style.translate = `0 ${top - entry.offsetTop}px`;
  }

  /** Near the edge of the window the page goes along, as long as an entry is held there. */
  #scroll() {
    if (!this.#drag?.moving) return;
    const { y } = this.#drag;
    const beyond = Math.min(0, y - EDGE_PX) || Math.max(0, y - window.innerHeight + EDGE_PX);
    if (beyond) {
      window.scrollBy(0, beyond / 4);
      this.#follow();
    }
    requestAnimationFrame(() => this.#scroll());
  }

  #release(event, back = event.type === "pointercancel") {
    const { entry, held, end, pointer, moving } = this.#drag;
    if (event.pointerId !== undefined && event.pointerId !== pointer) return;
    this.#drag = undefined;
    end.abort();
    if (entry.hasPointerCapture(pointer)) entry.releasePointerCapture(pointer);
    entry.classList.remove("dragged");
    this.#sorting.root.classList.remove("dragging");
    entry.style.translate = "";
    if (moving) this.#sorting.released(held, event, back);
  }
}
