import { findDocumentStaffId } from "#lib/api/client.ts";

/** A change whose response never came: it is looked up, and never sent again. */
export interface UnknownOutcome {
  /** Its idempotency key. */
  key: string;
  /** Who sent it. Nobody else who uses this tab learns of it. */
  person: string;
  sentAt: number;
}

const STORED = "floatdeck.outcomes";
const CHANGED = "floatdeck:outcomes";
/** Beyond this number, the oldest are forgotten. */
const OUTCOMES_MAX = 10;

/** Remembers a change for as long as the tab is open, even across sign-ins. */
export function rememberUnknown(key: string): void {
  const person = findDocumentStaffId();
  if (person !== null) {
    const others = parseOutcomes(readStored()).filter((each) => each.key !== key);
    write([...others, { key, person, sentAt: Date.now() }].slice(-OUTCOMES_MAX));
  }
}

export function forgetUnknown(key: string): void {
  write(parseOutcomes(readStored()).filter((each) => each.key !== key));
}

/** The remembered changes as text, which is the same for the same content. */
export function readStored(): string {
  try {
    return sessionStorage.getItem(STORED) ?? "[]";
  } catch {
    return "[]";
  }
}

export function parseOutcomes(stored: string): readonly UnknownOutcome[] {
  try {
    const outcomes: unknown = JSON.parse(stored);
    return Array.isArray(outcomes) ? outcomes.filter(isOutcome) : [];
  } catch {
    return [];
  }
}

function isOutcome(value: unknown): value is UnknownOutcome {
  return (
    typeof value === "object" &&
    value !== null &&
    "key" in value &&
    typeof value.key === "string" &&
    "person" in value &&
    typeof value.person === "string" &&
    "sentAt" in value &&
    typeof value.sentAt === "number"
  );
}

export function subscribeOutcomes(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener);
  return () => window.removeEventListener(CHANGED, listener);
}

function write(outcomes: readonly UnknownOutcome[]): void {
  try {
    sessionStorage.setItem(STORED, JSON.stringify(outcomes));
  } catch {
    // Without storage, the notice of the unknown outcome must suffice.
  }
  window.dispatchEvent(new Event(CHANGED));
}
