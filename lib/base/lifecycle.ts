/** Whether this process still accepts work. Stored on the global object because a module can be loaded twice. */
const HOLDER = Symbol.for("floatdeck.lifecycle");
interface Lifecycle {
  stopping: boolean;
  listeners: Set<() => void>;
}
const holder: { [HOLDER]?: Lifecycle } & typeof globalThis = globalThis;

function lifecycle(): Lifecycle {
  return (holder[HOLDER] ??= { stopping: false, listeners: new Set() });
}

/**
 * Makes `/health/ready` fail from now on, so that load balancers stop sending requests, and ends the requests that
 * wait for something to happen.
 */
export function beginStopping(): void {
  lifecycle().stopping = true;
  for (const listener of lifecycle().listeners) {
    listener();
  }
}

export function isStopping(): boolean {
  return lifecycle().stopping;
}

/** Calls the listener when the process begins to stop, until the returned function is called. */
export function onStopping(listener: () => void): () => void {
  const { listeners } = lifecycle();
  listeners.add(listener);
  return () => listeners.delete(listener);
}
