import { log } from "#lib/base/log.ts";

/**
 * Repeats work at an interval, but never overlapping. It does not keep the process alive.
 * @param failure what the log says when the work fails. The repetition continues.
 */
export function repeat(
  periodMs: number,
  failure: string,
  work: () => Promise<void>,
): { stop(): void } {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => log.error({ err: error }, failure))
      .finally(() => {
        running = null;
      });
  }, periodMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
