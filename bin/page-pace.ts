/** How much processor time pages may take while the API is busy. */
interface Allowance {
  /** The number of processors that pages may keep busy. */
  processors: number;
  /** What they may take at once after a pause, in milliseconds of processor time. */
  burstMs: number;
}

/** The time between two pages that are admitted, within which the cost of the first begins to show. */
const SPACING_MS = 20;

/**
 * Limits the processor time of the process that serves pages (a token bucket). While the API is busy, each page waits until
 * earlier pages are within the allowance. Clients take turns, so that one who requests many pages delays mostly itself.
 * While the API is not busy, no page waits.
 */
export class PagePace {
  private readonly allowance: Allowance;
  private readonly readUsedMs: () => number;
  /** In the order in which clients get their next turns; the pages of each in order of arrival. */
  private readonly waiting = new Map<string, (() => void)[]>();
  private isBusy = false;
  private timer: NodeJS.Timeout | undefined;
  private budget: Budget;

  /** @param readUsedMs returns the processor time that this process has used so far, in milliseconds. */
  constructor(allowance: Allowance, readUsedMs: () => number) {
    this.allowance = allowance;
    this.readUsedMs = readUsedMs;
    this.budget = this.toFull();
  }

  /** Sets whether the API is busy from now on. */
  setBusy(isBusy: boolean): void {
    if (isBusy && !this.isBusy) {
      this.budget = this.toFull();
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
    this.budget = this.toCurrent();
    const { ms } = this.budget;
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

  private toCurrent(): Budget {
    const { processors, burstMs } = this.allowance;
    const at = performance.now();
    const usedMs = this.readUsedMs();
    const earnedMs = (at - this.budget.at) * processors;
    const ms = this.budget.ms + earnedMs - (usedMs - this.budget.usedMs);
    // Debt is limited as well, so that one expensive page does not delay the others for long.
    return { ms: Math.max(-burstMs, Math.min(burstMs, ms)), at, usedMs };
  }

  private toFull(): Budget {
    return { ms: this.allowance.burstMs, at: performance.now(), usedMs: this.readUsedMs() };
  }
}

/** The processor time that pages may take now; below zero they owe it. */
interface Budget {
  ms: number;
  /** When it was computed, and what the process had used by then, in milliseconds. */
  at: number;
  usedMs: number;
}
