import { performance } from "node:perf_hooks";

const PERIOD_MS = 500;

/** How much of the time the event loop works. From here on, payments notice other load on the machine. */
const BUSY_UTILIZATION = 0.25;

/**
 * Reports when this process, which serves the API, becomes busy, and when it no longer is. It starts as not busy.
 * Forwarding pages for two people who reload without a pause does not make it busy: that takes 0.14.
 */
export function watchApiLoad(report: (isBusy: boolean) => void): { stop(): void } {
  let last = performance.eventLoopUtilization();
  let wasBusy = false;
  const timer = setInterval(() => {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, last);
    last = current;
    const isBusy = utilization >= BUSY_UTILIZATION;
    if (isBusy !== wasBusy) {
      wasBusy = isBusy;
      report(isBusy);
    }
  }, PERIOD_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
