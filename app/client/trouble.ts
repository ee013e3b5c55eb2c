/** The parts of the page that wait for the server, which is busy, restarting, or out of reach. */
const waiting = new Set<object>();
const listeners = new Set<() => void>();

/** Reports that the source waits for the server, or no longer does. */
export function reportTrouble(source: object, isWaiting: boolean): void {
  if (isWaiting === waiting.has(source)) {
    return;
  }
  if (isWaiting) {
    waiting.add(source);
  } else {
    waiting.delete(source);
  }
  for (const listener of listeners) {
    listener();
  }
}

/** Whether the source waits for the server; without a source, whether anything does. */
export function hasTrouble(source?: object): boolean {
  return source ? waiting.has(source) : waiting.size > 0;
}

export function subscribeTrouble(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
