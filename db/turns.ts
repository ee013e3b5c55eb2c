import { DatabaseFailure } from "./failures.ts";

/** How many may be at work. */
interface Limits {
  /** Of all together. */
  all: number;
  /** Of one of them. */
  each: number;
}

/** Of one name that may wait; one more is refused at once. */
const WAITING_MAX = 1_000;

interface Waiting {
  start: () => void;
}

/**
 * Shares a few places among many names: each has a bounded number of them, and names that wait are served in turn, so that
 * whoever asks much waits for itself and not before others.
 */
export class Turns {
  private readonly limits: Limits;
  private atWork = 0;
  private readonly busy = new Map<string, number>();
  /** Names in the order in which they are served next; each one's requests oldest first. */
  private readonly waiting = new Map<string, Set<Waiting>>();

  constructor(limits: Limits) {
    this.limits = limits;
  }

  /**
   * Resolves once the name has a place, which `leave` gives back.
   * @throws DatabaseFailure `database_unavailable` when too many of the name wait. The signal's reason when it aborts.
   */
  async enter(name: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const queue = this.waiting.get(name) ?? new Set();
    if (queue.size >= WAITING_MAX) {
      throw new DatabaseFailure(
        "database_unavailable",
        "Too many reads of this account are waiting; try again in a moment.",
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

  /** Behind all others that wait. */
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
