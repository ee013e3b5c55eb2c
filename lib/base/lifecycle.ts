/** Whether this process still takes work. It hangs on the global object, because a module may be loaded twice. */
const HOLDER = Symbol.for("floatdeck.lifecycle");
const holder: { [HOLDER]?: { stopping: boolean } } & typeof globalThis = globalThis;

/** From now on `/health/ready` says no, so that load balancers send nothing new. */
export function beginStopping(): void {
  holder[HOLDER] = { stopping: true };
}

export function isStopping(): boolean {
  return holder[HOLDER]?.stopping ?? false;
}
