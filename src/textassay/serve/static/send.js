// Handing in an answer: again and again until the server has it, always with the same id.

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 20000;
const PATIENCE_MS = 20000;

/** The server does not want this answer, now or later. */
export class Refused extends Error {}

/** A random id; `randomUUID` is there only where the connection is secure. */
export function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/**
 * Send until there is a reply: `{errors}` where fields are wrong, else `{next, stored}`, and `message` where the
 * participant has to be told which answer counts.
 * @param waiting Called each time the server could not be reached.
 */
export async function deliver(url, body, waiting) {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    const reply = await attempt(url, body);
    if (reply) return reply;
    waiting();
    await pause(wait);
  }
}

async function attempt(url, body) {
  // Two devices' clocks may differ; how long one has kept an answer tells all the same which is the newer.
  const age_ms = Math.max(0, Date.now() - Date.parse(body.answered_at)) || 0;
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ ...body, age_ms }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (response.status >= 500 || response.status === 429 || response.status === 408) return undefined;
    const reply = await response.json();
    if (reply.errors || reply.next) return { ...reply, stored: response.ok };
    throw new Refused(String(response.status));
  } catch (error) {
    if (error instanceof Refused) throw error;
    return undefined; // no network, or a reply that is not ours
  }
}

/** Wait for a while, or until the network is back. */
function pause(ms) {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    window.addEventListener("online", done);
    function done() {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    }
  });
}
