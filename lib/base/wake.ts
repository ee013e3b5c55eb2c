/**
 * Lets code that records events wake the workers of the same process. Stored on the global object because a module can be
 * loaded twice in one process.
 */
const HOLDER = Symbol.for("floatdeck.worker-wake");
const holder: { [HOLDER]?: Set<() => void> } & typeof globalThis = globalThis;

/** Wakes the workers of this process, if it has any. */
export function wakeWorkers(): void {
  for (const listener of holder[HOLDER] ?? []) {
    listener();
  }
}

/** Calls the listener whenever there is something to deliver, until the returned function is called. */
export function onWake(listener: () => void): () => void {
  const listeners = (holder[HOLDER] ??= new Set());
  listeners.add(listener);
  return () => listeners.delete(listener);
}
