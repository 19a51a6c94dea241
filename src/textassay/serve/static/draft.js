// What a participant has entered on a page but not yet submitted, kept on this device until the server has it.

const PREFIX = "textassay:";

export class Draft {
  /** @param place The page's address. */
  constructor(place) {
    this.key = PREFIX + place;
    this.now = load(this.key);
    /** Whether what was written last is on this device; not where the browser allows no storage, or it is full. */
    this.kept = Object.keys(this.now).length > 0;
  }

  read() {
    return this.now;
  }

  write(changes) {
    this.now = { ...this.now, ...changes };
    const { pending } = load(this.key);
    // An answer that another tab with this page has submitted stays until the server has it.
    const stored = pending && !("pending" in changes) ? { ...this.now, pending } : this.now;
    try {
      localStorage.setItem(this.key, JSON.stringify(stored));
      this.kept = true;
    } catch {
      this.kept = false;
    }
  }

  clear() {
    this.now = {};
    this.cleared = true;
    forget(this.key);
  }
}

/** Drafts of the pages below an address whose answers were submitted, but never acknowledged. */
export function waiting(place) {
  const drafts = keys(`${place}/`).map((key) => new Draft(key.slice(PREFIX.length)));
  return drafts.filter((draft) => draft.read().pending);
}

/** Forget every draft of the pages below an address. */
export function forgetAll(place) {
  keys(place).forEach(forget);
}

function keys(place) {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX + place));
  } catch {
    return []; // Not allowed, so there is nothing.
  }
}

function load(key) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}

function forget(key) {
  try {
    localStorage.removeItem(key);
  } catch {
    // Not allowed, so there is nothing to forget.
  }
}
