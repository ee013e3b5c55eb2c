import { readdirSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";
import perfHooks from "node:perf_hooks";

/**
 * Pages yield the processor to the API, never the other way round. They share the machine with payments and PostgreSQL.
 * Without this file, people who reloaded pages slowed credits to 0.45 to 0.74 of their rate on two cores. A low
 * priority per thread is not enough. A kernel that groups threads by session compares priorities only within one
 * session, so pages would take as much as PostgreSQL; therefore their session gets a lower weight. And even at the
 * lowest priority, a thread slows others on the same core; therefore, while the API is busy, pages keep to an
 * allowance (`page-turns.ts`).
 */

/** The lowest priority there is. */
const NICENESS = 19;
/** A third of the weight of other sessions: on a saturated machine, pages become slower but do not stop. */
const SESSION_NICENESS = 5;
const LOWER_AGAIN_MS = 200;

/**
 * Lowers the priority of this process, and the weight of its session ("The autogroup feature" of sched(7)), which it has to
 * itself. On Linux, priority is per thread: this lowers each thread that Node has already started.
 */
export function lowerPriority(): void {
  const threads = process.platform === "linux" ? readdirSync("/proc/self/task").map(Number) : [0];
  for (const thread of threads) {
    setPriority(thread, NICENESS);
  }
  lowerSession();
}

function lowerSession(): void {
  try {
    writeFileSync("/proc/self/autogroup", String(SESSION_NICENESS));
  } catch (error) {
    // The kernel allows ten changes per second across all processes. Any other error means that it has no such groups,
    // or that they are fixed here.
    if (error instanceof Error && "code" in error && error.code === "EAGAIN") {
      setTimeout(lowerSession, LOWER_AGAIN_MS);
    }
  }
}

const LOAD_PERIOD_MS = 500;

/** The share of time that the event loop works from which payments notice other load on the machine. */
const BUSY_UTILIZATION = 0.25;

/**
 * For the process that serves the API: reports when it becomes busy, and when it no longer is. It starts as not busy.
 * Forwarding pages for two people who reload without a pause does not make it busy: that takes 0.14.
 */
export function watchApiLoad(report: (isBusy: boolean) => void): { stop(): void } {
  let last = perfHooks.performance.eventLoopUtilization();
  let wasBusy = false;
  const timer = setInterval(() => {
    const current = perfHooks.performance.eventLoopUtilization();
    const { utilization } = perfHooks.performance.eventLoopUtilization(current, last);
    last = current;
    const isBusy = utilization >= BUSY_UTILIZATION;
    if (isBusy !== wasBusy) {
      wasBusy = isBusy;
      report(isBusy);
    }
  }, LOAD_PERIOD_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
