/** `wake` wakes the listeners. `onWake` adds one until the returned function is called. */
interface Wake {
  wake: () => void;
  onWake: (listener: () => void) => () => void;
}

/**
 * Lets code that records something wake the sender in the same process. Stored on the global object because a module
 * can be loaded twice in one process.
 */
function toWake(name: string): Wake {
  const key = Symbol.for(name);
  const holder: { [key]?: Set<() => void> } & typeof globalThis = globalThis;
  return {
    wake: () => {
      for (const listener of holder[key] ?? []) {
        listener();
      }
    },
    onWake: (listener) => {
      const listeners = (holder[key] ??= new Set());
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Wakes the workers of this process when there is something to deliver. */
export const { wake: wakeWorkers, onWake } = toWake("floatdeck.worker-wake");

/**
 * Wakes the mailers of this process when there is a message to a person. They are separate because events are thousands
 * of times more frequent than messages.
 */
export const { wake: wakeMailers, onWake: onMessage } = toWake("floatdeck.mailer-wake");

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
