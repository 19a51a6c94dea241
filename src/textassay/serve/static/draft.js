// What a participant has entered on a page but not yet submitted, kept on this device until the server has it.

const PREFIX = "textassay:";

export class Draft {
  /** @param place The page's address. @param mayKeepAnswer False where the answer is personal and must not stay here. */
  constructor(place, { mayKeepAnswer = true } = {}) {
    this.key = PREFIX + place;
    this.mayKeepAnswer = mayKeepAnswer;
    this.now = load(this.key);
  }

  read() {
    return this.now;
  }

  write(changes) {
    this.now = { ...this.now, ...changes };
    const { pending, ...rest } = this.now;
    const kept = this.mayKeepAnswer ? this.now : rest;
    try {
      localStorage.setItem(this.key, JSON.stringify(kept));
    } catch {
      // Storage full or not allowed: the page works without drafts.
    }
  }

  clear() {
    this.now = {};
    this.cleared = true;
    forget(this.key);
  }
}

/** Forget every draft of the pages below an address. */
export function forgetAll(place) {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(PREFIX + place)) forget(key);
  } catch {
    // Not allowed, so there is nothing to forget.
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
