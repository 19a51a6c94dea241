// A list whose entries a person puts in order: by dragging (mouse, pen, finger), by buttons, or by keys.
//
// Tasks that let people sort share it. The markup is in templates/sorting.html. Entries have opaque ids and the
// order of the page is the order of the list; nothing else is known here. Every move is recorded with its time.
//
// When an entry is moved, its neighbours are moved around it and it stays where it is in the document: an element that
// is taken out and put in again would lose the focus, and the pointer that drags it.

import { Dragging } from "./dragging.js";

const GLIDE_MS = 140;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const filled = (text, values) => text.replace(/\{(\w+)\}/g, (all, name) => values[name] ?? all);

/** The lists of a page by name. @param page What page.js gives to a view's `start`. */
export function sortings(form, page) {
  return new Map([...form.querySelectorAll("[data-sorting]")].map((root) => [root.dataset.sorting, new Sorting(root, page)]));
}

export class Sorting {
  #page;
  #onset;
  #before = 0;
  #lifted;
  #dragging;

  constructor(root, page) {
    this.root = root;
    this.list = root.querySelector(".entries");
    this.status = root.querySelector("[role=status]");
    this.tick = root.querySelector("[data-confirms]");
    this.words = JSON.parse(root.dataset.words);
    this.#page = page;
    this.start = this.order;
    this.moves = [];
    page.onset.then((stamp) => { this.#onset = stamp; });
    this.list.addEventListener("click", (event) => this.#clicked(event));
    this.list.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("focusout", (event) => this.#left(event));
    this.#dragging = new Dragging(this);
    for (const grip of this.list.querySelectorAll(".grip")) grip.disabled = false;
    this.#show();
  }

  get entries() {
    return [...this.list.children];
  }

  /** Ids of the entries in their order. */
  get order() {
    return this.entries.map((entry) => entry.dataset.entry);
  }

  /** Ids in groups: a tied entry is in the group of the one above it. */
  get groups() {
    const groups = [];
    for (const entry of this.entries) {
      if (groups.length && isTied(entry)) groups.at(-1).push(entry.dataset.entry);
      else groups.push([entry.dataset.entry]);
    }
    return groups;
  }

  /** Whether nothing differs from what was shown first. */
  get untouched() {
    return this.start.every((id, place) => this.order[place] === id) && !this.entries.some(isTied);
  }

  get confirmed() {
    return this.untouched && this.tick.checked;
  }

  /** Put an earlier answer back. */
  restore({ groups, moves = [], confirmed }) {
    const entries = new Map(this.entries.map((entry) => [entry.dataset.entry, entry]));
    const known = groups.flat();
    if (known.length !== entries.size || !known.every((id) => entries.has(id))) return;
    for (const group of groups) {
      for (const [place, id] of group.entries()) {
        this.list.append(entries.get(id));
        tie(entries.get(id), place > 0);
      }
    }
    this.moves = [...moves];
    // Times go on from the last move that is known; how long the page was closed does not count.
    this.#before = moves.at(-1)?.[3] ?? 0;
    this.#show();
    // A stored answer has no tick: what was left as it was had been confirmed.
    this.tick.checked = this.untouched && (confirmed ?? true);
  }

  // --- buttons and keys

  #clicked(event) {
    const entry = entryOf(event.target);
    if (event.target.closest(".up")) this.#step(entry, -1, event);
    else if (event.target.closest(".down")) this.#step(entry, 1, event);
    else if (event.target.closest(".grip")) this.#toggle(entry, event);
    else if (event.target.matches("[data-tie]")) this.#changed();
  }

  #step(entry, by, event) {
    this.#putDown(event);
    const from = this.placeOf(entry);
    if (!this.place(entry, from + by)) return;
    this.#record(entry, from, event);
    this.#say("moved", entry);
    // At either end one button is off; the focus goes to the other, so that it is not lost.
    const [pressed, other] = by < 0 ? [".up", ".down"] : [".down", ".up"];
    const target = entry.querySelector(pressed);
    (target.disabled ? entry.querySelector(other) : target).focus({ preventScroll: true });
    entry.scrollIntoView({ block: "nearest" });
  }

  #toggle(entry, event) {
    if (this.#dragging.active || event.detail > 0) return; // a click of the mouse is the end of a drag that went nowhere
    if (this.#lifted?.entry === entry) {
      this.#putDown(event);
      this.#say("dropped", entry);
      return;
    }
    this.#putDown(event);
    this.#lifted = this.#held(entry);
    this.#mark(entry, true);
    this.#say("lifted", entry);
  }

  #key(event) {
    if (!this.#lifted || !event.target.matches(".grip")) return;
    const { entry } = this.#lifted;
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (by) {
      event.preventDefault();
      if (this.place(entry, this.placeOf(entry) + by)) entry.scrollIntoView({ block: "nearest" });
      this.#say("moved", entry);
    } else if (event.key === "Escape") {
      event.preventDefault();
      this.#putBack(this.#lifted);
      this.#lifted = undefined;
      this.#mark(entry, false);
      this.#say("cancelled", entry);
    }
  }

  #left(event) {
    // Moving a neighbour never takes the focus away, so this is the person going elsewhere.
    if (this.#lifted && !this.#lifted.entry.contains(event.relatedTarget)) this.#putDown(event);
  }

  #putDown(event) {
    if (!this.#lifted) return;
    const { entry, from } = this.#lifted;
    this.#lifted = undefined;
    this.#mark(entry, false);
    this.#record(entry, from, event);
  }

  #mark(entry, lifted) {
    entry.classList.toggle("lifted", lifted);
    entry.querySelector(".grip").setAttribute("aria-pressed", String(lifted));
  }

  // --- what dragging asks for and tells

  /** An entry is about to be taken: what it takes to put it back. */
  taken(entry, event) {
    this.#putDown(event);
    return this.#held(entry);
  }

  /** A drag is over; `back` where the person has thought better of it. */
  released(held, event, back) {
    if (back) this.#putBack(held);
    this.#record(held.entry, held.from, event);
    this.#say(back ? "cancelled" : "moved", held.entry);
  }

  // --- the list

  placeOf(entry) {
    return this.entries.indexOf(entry);
  }

  /** Bring an entry to a place by moving its neighbours; false where it cannot go there. */
  place(entry, to) {
    const least = this.entries.filter((each) => each.hasAttribute("data-fixed")).length;
    if (to < least || to >= this.entries.length) return false;
    const tops = new Map(this.entries.map((each) => [each, each.getBoundingClientRect().top]));
    while (this.placeOf(entry) > to) this.#swap(entry.previousElementSibling, entry, entry);
    while (this.placeOf(entry) < to) this.#swap(entry, entry.nextElementSibling, entry);
    this.#show();
    this.#glide(tops, entry);
    return true;
  }

  /** Two neighbours change places; `moved` is the one that the person moves, the other goes around it. */
  #swap(upper, lower, moved) {
    const after = lower.nextElementSibling;
    const [tiedUpper, tiedLower, tiedAfter] = [upper, lower, after].map((each) => each !== null && isTied(each));
    if (moved === lower) lower.after(upper);
    else upper.before(lower);
    // Ties between entries that are not moved stay; an entry that is put between two tied ones is tied with them.
    tie(lower, moved === lower ? tiedUpper : tiedUpper && tiedLower);
    tie(upper, moved === lower ? tiedUpper : tiedAfter);
    if (after && moved === lower) tie(after, tiedLower && tiedAfter);
  }

  #held(entry) {
    return { entry, from: this.placeOf(entry), tied: new Set(this.entries.filter(isTied)) };
  }

  #putBack({ entry, from, tied }) {
    this.place(entry, from);
    for (const each of this.entries) tie(each, tied.has(each));
    this.#show();
  }

  #glide(tops, moved) {
    if (calm.matches) return;
    for (const entry of this.entries) {
      const by = tops.get(entry) - entry.getBoundingClientRect().top;
      if (!by || (entry === moved && this.#dragging.active)) continue;
      entry.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: GLIDE_MS, easing: "ease-out" });
    }
  }

  #record(entry, from, event) {
    const to = this.placeOf(entry);
    if (to !== from) this.moves.push([entry.dataset.entry, from + 1, to + 1, this.#time(event)]);
    this.#changed();
  }

  #time(event) {
    return this.#onset === undefined ? this.#before : Math.round(this.#before + Math.max(0, event.timeStamp - this.#onset));
  }

  #changed() {
    this.#show();
    this.#page.changed();
  }

  #say(what, entry) {
    const { place } = entry.querySelector(".place").dataset;
    this.status.textContent = filled(this.words[what], { n: place, total: this.entries.length });
  }

  /** Places in words and numbers, buttons that lead nowhere off, and the tick only where nothing was changed. */
  #show() {
    const total = this.entries.length;
    let shared = 0;
    const places = this.entries.map((entry, index) => (index && isTied(entry) ? shared : (shared = index + 1)));
    for (const [index, entry] of this.entries.entries()) {
      const place = places[index];
      const label = entry.querySelector(".place");
      label.dataset.place = place;
      label.textContent = places.filter((each) => each === place).length > 1 ? `=${place}` : `${place}`;
      for (const button of entry.querySelectorAll("button")) {
        const said = filled(button.dataset.label, { n: place, total });
        if (button.getAttribute("aria-label") !== said) button.setAttribute("aria-label", said);
      }
      const [up, down, box] = [".up", ".down", ".tie"].map((name) => entry.querySelector(name));
      if (up) up.disabled = !movable(entry.previousElementSibling);
      if (down) down.disabled = index === total - 1;
      if (box) box.hidden = index === 0;
    }
    if (!this.untouched) this.tick.checked = false;
    this.tick.disabled = !this.untouched;
  }
}

const entryOf = (element) => element.closest(".entry");
const movable = (entry) => (entry?.hasAttribute("data-fixed") ? null : entry);
const isTied = (entry) => entry.querySelector("[data-tie]")?.checked ?? false;

function tie(entry, tied) {
  const box = entry.querySelector("[data-tie]");
  if (box) box.checked = tied;
}
