import { availableParallelism } from "node:os";
import perfHooks from "node:perf_hooks";

/** How much processor time pages may take while the API is busy. */
interface Allowance {
  /** The number of processors that pages may keep busy. */
  processors: number;
  /** What they may take at once after a pause, in milliseconds of processor time. */
  burstMs: number;
}

/** An eighth of the machine; a page takes about 20 ms. */
const ALLOWANCE: Allowance = { processors: availableParallelism() / 8, burstMs: 250 };

/** The pause between admitting two pages while the API is busy, long enough for the cost of the first to begin to show. */
const SPACING_MS = 20;

/** How many pages are made at once while their thread is busy. 64 gave no more pages per second than two. */
const MADE_AT_ONCE = 2;

/** While pages wait, one more is made whenever the thread was active for less than half of this time. */
const SPARE_MS = 50;
const SPARE_UTILIZATION = 0.5;

/** What this process has used so far, in milliseconds. */
interface Meter {
  /** Of processors, by all threads. */
  readUsedMs(): number;
  /** In which the event loop was active, whether or not it got a processor. */
  readActiveMs(): number;
}

const METER: Meter = {
  readUsedMs: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  readActiveMs: () => perfHooks.performance.eventLoopUtilization().active,
};

/**
 * Decides which page is made next. One thread makes them all, so few are made at once; more only while these wait for the
 * database. Clients take turns, so that one who requests many pages delays mostly itself. While the API is busy, each
 * page also waits until earlier pages are within the allowance of processor time (a token bucket).
 */
export class PageTurns {
  private readonly allowance: Allowance;
  private readonly meter: Meter;
  /** In the order in which clients get their next turns; the pages of each in order of arrival. */
  private readonly waiting = new Map<string, Set<() => void>>();
  private made = 0;
  /** The clients that have a turn ahead of pages. */
  private readonly ahead = new Set<string>();
  private isBusy = false;
  private pause: NodeJS.Timeout | undefined;
  private watch: NodeJS.Timeout | undefined;
  private balance: Balance;

  constructor(allowance = ALLOWANCE, meter = METER) {
    this.allowance = allowance;
    this.meter = meter;
    this.balance = this.toFull();
  }

  /** Sets whether the API is busy from now on. */
  setBusy(isBusy: boolean): void {
    if (isBusy && !this.isBusy) {
      this.balance = this.toFull();
    }
    this.isBusy = isBusy;
    if (!isBusy) {
      clearTimeout(this.pause);
      this.pause = undefined;
      this.admit();
    }
  }

  /**
   * Resolves when a page may be made for this client, with what ends its turn; or once the client has abandoned it, which
   * gives up its place.
   */
  take(client: string, abandoned: AbortSignal): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<() => void>();
    const begin = () => {
      this.made += 1;
      resolve(
        once(() => {
          this.made -= 1;
          this.admit();
        }),
      );
    };
    const pages = this.waiting.get(client) ?? new Set();
    this.waiting.set(client, pages.add(begin));
    abandoned.addEventListener("abort", () => {
      if (pages.delete(begin) && pages.size === 0) {
        this.waiting.delete(client);
      }
      resolve(() => undefined);
    });
    this.admit();
    return promise;
  }

  /** Like `take`, for what must not wait for pages: each client has one such turn at a time without waiting. */
  async takeAhead(client: string, abandoned: AbortSignal): Promise<() => void> {
    if (this.ahead.has(client)) {
      return this.take(client, abandoned);
    }
    this.ahead.add(client);
    return once(() => this.ahead.delete(client));
  }

  private admit(): void {
    while (this.waiting.size > 0 && this.made < MADE_AT_ONCE && this.mayAdmit()) {
      this.takeTurn();
    }
    this.watchThread();
  }

  /** While pages wait, makes one more whenever the thread has time to spare: those being made wait for the database. */
  private watchThread(): void {
    if (this.waiting.size === 0 || this.watch) {
      return;
    }
    const before = this.meter.readActiveMs();
    this.watch = setTimeout(() => {
      this.watch = undefined;
      const activeMs = this.meter.readActiveMs() - before;
      if (this.waiting.size > 0 && activeMs < SPARE_MS * SPARE_UTILIZATION && this.mayAdmit()) {
        this.takeTurn();
      }
      this.watchThread();
    }, SPARE_MS);
  }

  /** Whether there is processor time for a page now. While the API is busy, looks again after a pause. */
  private mayAdmit(): boolean {
    if (!this.isBusy) {
      return true;
    }
    if (this.pause) {
      return false;
    }
    this.balance = this.toCurrent();
    const { ms } = this.balance;
    this.pause = setTimeout(
      () => {
        this.pause = undefined;
        this.admit();
      },
      Math.max(SPACING_MS, -ms / this.allowance.processors),
    );
    return ms > 0;
  }

  /** Begins the next client's next page. */
  private takeTurn(): void {
    const [client, pages] = this.waiting.entries().next().value ?? ["", new Set<() => void>()];
    const [begin] = pages;
    this.waiting.delete(client);
    if (!begin) {
      return;
    }
    pages.delete(begin);
    if (pages.size > 0) {
      this.waiting.set(client, pages);
    }
    begin();
  }

  private toCurrent(): Balance {
    const { processors, burstMs } = this.allowance;
    const at = performance.now();
    const usedMs = this.meter.readUsedMs();
    const earnedMs = (at - this.balance.at) * processors;
    const ms = this.balance.ms + earnedMs - (usedMs - this.balance.usedMs);
    // Debt is limited as well, so that one expensive page does not delay the others for long.
    return { ms: Math.max(-burstMs, Math.min(burstMs, ms)), at, usedMs };
  }

  private toFull(): Balance {
    return { ms: this.allowance.burstMs, at: performance.now(), usedMs: this.meter.readUsedMs() };
  }
}

/** The same function, of which only the first call has an effect. */
function once(end: () => void): () => void {
  let isOver = false;
  return () => {
    if (!isOver) {
      isOver = true;
      end();
    }
  };
}

/** The processor time that pages may take now. Negative if they owe time. */
interface Balance {
  ms: number;
  /** When it was computed, and what the process had used by then, in milliseconds. */
  at: number;
  usedMs: number;
}
