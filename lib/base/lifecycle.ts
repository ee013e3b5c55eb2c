/** Whether this process still accepts work. Stored on the global object because a module can be loaded twice. */
const HOLDER = Symbol.for("floatdeck.lifecycle");
const holder: { [HOLDER]?: { stopping: boolean } } & typeof globalThis = globalThis;

/** Makes `/health/ready` fail from now on, so that load balancers stop sending requests. */
export function beginStopping(): void {
  holder[HOLDER] = { stopping: true };
}

export function isStopping(): boolean {
  return holder[HOLDER]?.stopping ?? false;
}
