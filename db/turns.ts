import { DatabaseFailure } from "./failures.ts";

/** How many may run at once. */
export interface Limits {
  /** For all names together. */
  all: number;
  /** For each name. */
  each: number;
}

/** How many requests of one name may wait; further ones are refused immediately. */
const WAITING_MAX = 1_000;

interface Waiting {
  start: () => void;
}

/**
 * Shares a few slots among many names. Each name has a bounded number of them, and waiting names are served
 * in turn, so that a name with many requests delays only itself.
 */
export class Turns {
  private readonly limits: Limits;
  private atWork = 0;
  private readonly busy = new Map<string, number>();
  /** Names in the order in which they are served next; each name's requests are oldest first. */
  private readonly waiting = new Map<string, Set<Waiting>>();

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /**
   * Resolves once the name has a slot, which `leave` returns.
   * @throws DatabaseFailure `database_unavailable` when too many requests of the name wait; the signal's
   * reason when it aborts.
   */
  async enter(name: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const queue = this.waiting.get(name) ?? new Set();
    if (queue.size >= WAITING_MAX) {
      throw new DatabaseFailure(
        "database_unavailable",
        "Too many reads for this account are waiting; try again in a moment.",
      );
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { start: resolve };
    queue.add(waiting);
    this.waiting.set(name, queue);
    const giveUp = () => {
      this.forget(name, waiting);
      reject(signal.reason);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    this.serve();
    await promise;
    signal.removeEventListener("abort", giveUp);
  }

  countWaiting(): number {
    return this.waiting.values().reduce((sum, queue) => sum + queue.size, 0);
  }

  leave(name: string): void {
    this.atWork -= 1;
    const left = (this.busy.get(name) ?? 0) - 1;
    if (left > 0) {
      this.busy.set(name, left);
    } else {
      this.busy.delete(name);
    }
    this.serve();
  }

  private serve(): void {
    for (const [name, queue] of this.waiting) {
      if (this.atWork >= this.limits.all) {
        return;
      }
      const [next] = queue;
      const used = this.busy.get(name) ?? 0;
      if (next && used < this.limits.each) {
        this.atWork += 1;
        this.busy.set(name, used + 1);
        this.forget(name, next);
        this.moveBack(name, queue);
        next.start();
      }
    }
  }

  /** Moves a name behind all others that wait. */
  private moveBack(name: string, queue: Set<Waiting>): void {
    if (this.waiting.delete(name)) {
      this.waiting.set(name, queue);
    }
  }

  private forget(name: string, waiting: Waiting): void {
    const queue = this.waiting.get(name);
    queue?.delete(waiting);
    if (queue?.size === 0) {
      this.waiting.delete(name);
    }
  }
}
