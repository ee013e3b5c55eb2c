import { readdirSync, writeFileSync } from "node:fs";
import { availableParallelism, setPriority } from "node:os";
import perfHooks from "node:perf_hooks";

/**
 * Pages yield the processor to the API, never the other way round. They share the machine with payments and PostgreSQL.
 * Without this file, people who reloaded pages slowed credits to 0.45 to 0.74 of their rate on two cores. A low
 * priority per thread is not enough. A kernel that groups threads by session compares priorities only within one
 * session, so pages would take as much as PostgreSQL; therefore their session gets a lower weight. And even at the
 * lowest priority, a thread slows others on the same core; therefore, while the API is busy, pages keep to an
 * allowance, in which clients take turns.
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

/** How much processor time pages may take while the API is busy. */
interface Allowance {
  /** The number of processors that pages may keep busy. */
  processors: number;
  /** What they may take at once after a pause, in milliseconds of processor time. */
  burstMs: number;
}

/** An eighth of the machine; a page takes about 20 ms. */
const ALLOWANCE: Allowance = { processors: availableParallelism() / 8, burstMs: 250 };

/** The pause between admitting two pages, long enough for the cost of the first to begin to show. */
const SPACING_MS = 20;

/**
 * Limits the processor time of the process that serves pages (a token bucket). While the API is busy, each page waits until
 * earlier pages are within the allowance. Clients take turns, so that one who requests many pages delays mostly itself.
 * While the API is not busy, no page waits.
 */
export class CpuBudget {
  private readonly allowance: Allowance;
  private readonly readUsedMs: () => number;
  /** In the order in which clients get their next turns; the pages of each in order of arrival. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isBusy = false;
  private timer: NodeJS.Timeout | undefined;
  private balance: Balance;

  /** @param readUsedMs returns the processor time that this process has used so far, in milliseconds. */
  constructor(allowance = ALLOWANCE, readUsedMs = readProcessorMs) {
    this.allowance = allowance;
    this.readUsedMs = readUsedMs;
    this.balance = this.toFull();
  }

  /** Sets whether the API is busy from now on. */
  setBusy(isBusy: boolean): void {
    if (isBusy && !this.isBusy) {
      this.balance = this.toFull();
    }
    this.isBusy = isBusy;
    if (!isBusy) {
      const pages = [...this.waiting.values()].flat();
      this.waiting.clear();
      for (const admit of pages) {
        admit();
      }
    }
  }

  /** Resolves when a page may be served to this client. */
  async admission(client: string): Promise<void> {
    if (!this.isBusy) {
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.waiting.set(client, [...(this.waiting.get(client) ?? []), resolve]);
    if (!this.timer) {
      this.admitNext();
    }
    await promise;
  }

  private admitNext(): void {
    this.timer = undefined;
    if (this.waiting.size === 0) {
      return;
    }
    this.balance = this.toCurrent();
    const { ms } = this.balance;
    if (ms > 0) {
      this.takeTurn()?.();
    }
    const pauseMs = Math.max(SPACING_MS, -ms / this.allowance.processors);
    this.timer = setTimeout(() => this.admitNext(), pauseMs);
  }

  private takeTurn(): (() => void) | undefined {
    const [client, [next, ...rest]] = this.waiting.entries().next().value ?? ["", []];
    this.waiting.delete(client);
    if (rest.length > 0) {
      this.waiting.set(client, rest);
    }
    return next;
  }

  private toCurrent(): Balance {
    const { processors, burstMs } = this.allowance;
    const at = performance.now();
    const usedMs = this.readUsedMs();
    const earnedMs = (at - this.balance.at) * processors;
    const ms = this.balance.ms + earnedMs - (usedMs - this.balance.usedMs);
    // Debt is limited as well, so that one expensive page does not delay the others for long.
    return { ms: Math.max(-burstMs, Math.min(burstMs, ms)), at, usedMs };
  }

  private toFull(): Balance {
    return { ms: this.allowance.burstMs, at: performance.now(), usedMs: this.readUsedMs() };
  }
}

function readProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** The processor time that pages may take now. Negative if they owe time. */
interface Balance {
  ms: number;
  /** When it was computed, and what the process had used by then, in milliseconds. */
  at: number;
  usedMs: number;
}
