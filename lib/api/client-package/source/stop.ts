import { TIMER_MAX_MS } from "./times.ts";

/** Aborts a signal when a time is over, or earlier when the caller's does. */
export interface Stop {
  signal: AbortSignal;
  now(): void;
  after(ms: number): void;
}

export function toStop(caller: AbortSignal | undefined, firstMs: number): Stop {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  const now = () => {
    clearTimeout(timer);
    caller?.removeEventListener("abort", now);
    controller.abort();
  };
  const after = (ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(now, Math.min(ms, TIMER_MAX_MS));
  };
  caller?.addEventListener("abort", now);
  after(caller?.aborted ? 0 : firstMs);
  return { signal: controller.signal, now, after };
}
