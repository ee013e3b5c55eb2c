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

const FEED_HOLDER = Symbol.for("floatdeck.feed-wake");
const feed: { [FEED_HOLDER]?: Map<string, Set<() => void>> } & typeof globalThis = globalThis;

/** Wakes the requests of this process that wait for events of this integrator. */
export function wakeFeed(integratorId: string): void {
  for (const listener of feed[FEED_HOLDER]?.get(integratorId) ?? []) {
    listener();
  }
}

/** Calls the listener whenever this process records an event of the integrator, until the returned function is called. */
export function onFeedWake(integratorId: string, listener: () => void): () => void {
  const byIntegrator = (feed[FEED_HOLDER] ??= new Map());
  const listeners = byIntegrator.get(integratorId) ?? new Set();
  byIntegrator.set(integratorId, listeners.add(listener));
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) {
      byIntegrator.delete(integratorId);
    }
  };
}
