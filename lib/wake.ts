/**
 * Lets whoever records events wake the worker of the same process. It hangs on the global object, because a module may
 * be loaded twice in one process.
 */
const HOLDER = Symbol.for("floatdeck.worker-wake");
const holder: { [HOLDER]?: (() => void) | undefined } & typeof globalThis = globalThis;

/** Wakes the worker of this process, if it has one. */
export function wakeWorker(): void {
  holder[HOLDER]?.();
}

/** From now on `listener` is what wakes; undefined: nothing does. */
export function onWake(listener: (() => void) | undefined): void {
  holder[HOLDER] = listener;
}
