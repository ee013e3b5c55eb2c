/** Whether this process still accepts work. Stored on the global object because a module can be loaded twice. */
const HOLDER = Symbol.for("floatdeck.lifecycle");
interface Lifecycle {
  stopping: boolean;
  closing: boolean;
  listeners: Set<() => void>;
}
const holder: { [HOLDER]?: Lifecycle } & typeof globalThis = globalThis;

function lifecycle(): Lifecycle {
  return (holder[HOLDER] ??= { stopping: false, closing: false, listeners: new Set() });
}

/**
 * Each of these stops servers and workers gracefully. SIGHUP, sent by closing terminals and by supervisors, reloads
 * nothing.
 */
export const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Makes `/health/ready` fail from now on, so that load balancers stop sending requests. Requests that still arrive are
 * answered, with a header that asks the client to close the connection.
 */
export function beginStopping(): void {
  lifecycle().stopping = true;
}

export function isStopping(): boolean {
  return lifecycle().stopping;
}

/** Ends requests that wait for an event: connections are about to be closed. */
export function beginClosing(): void {
  lifecycle().closing = true;
  for (const listener of lifecycle().listeners) {
    listener();
  }
}

export function isClosing(): boolean {
  return lifecycle().closing;
}

/** Calls the listener when the process begins to close connections, until the returned function is called. */
export function onClosing(listener: () => void): () => void {
  const { listeners } = lifecycle();
  listeners.add(listener);
  return () => listeners.delete(listener);
}
