import { DomainError } from "#lib/base/errors.ts";

/** A share of a pool, held by some work. */
export interface Room {
  /** Aborts when the work has lost its share. */
  readonly signal: AbortSignal;
  /**
   * Takes more of the pool.
   * @throws DomainError `overloaded` if the pool is full and no other holder would then have more than this one, or if
   * the work has lost its share.
   */
  take(size: number): void;
}

interface Hold {
  size: number;
  evict(): void;
}

interface Holder {
  size: number;
  /** In the order in which they began. */
  holds: Set<Hold>;
}

/**
 * A pool without fixed shares: while some of it is free, any holder may take all of that. Once it is full, the largest
 * holder is refused, and gives way to smaller ones. Among equals, the earliest keep what they have.
 */
export class SharedPool {
  private readonly max: number;
  private readonly refusal: DomainError;
  private readonly holders = new Map<string, Holder>();
  private total = 0;

  /** @param sentence tells refused holders why. */
  constructor(max: number, sentence: string) {
    this.max = max;
    this.refusal = new DomainError("overloaded", sentence);
  }

  /**
   * Runs work that takes part of the pool, and frees that part when the work ends.
   * @throws DomainError `overloaded` as soon as the work loses its share to a smaller holder; whatever the work throws.
   */
  async hold<T>(name: string, work: (room: Room) => Promise<T>): Promise<T> {
    const { promise: evicted, reject } = Promise.withResolvers<never>();
    const loss = new AbortController();
    const holder = this.holders.get(name) ?? { size: 0, holds: new Set() };
    this.holders.set(name, holder);
    const evict = () => {
      release();
      loss.abort(this.refusal);
      reject(this.refusal);
    };
    const hold: Hold = { size: 0, evict };
    const release = () => this.release(name, holder, hold);
    holder.holds.add(hold);
    const take = (size: number) => {
      loss.signal.throwIfAborted();
      this.makeRoom(holder, size);
      hold.size += size;
      holder.size += size;
      this.total += size;
    };
    try {
      return await Promise.race([work({ signal: loss.signal, take }), evicted]);
    } finally {
      release();
    }
  }

  private release(name: string, holder: Holder, hold: Hold): void {
    if (!holder.holds.delete(hold)) {
      return;
    }
    holder.size -= hold.size;
    this.total -= hold.size;
    if (holder.holds.size === 0) {
      this.holders.delete(name);
    }
  }

  /** @throws DomainError `overloaded`. */
  private makeRoom(asking: Holder, size: number): void {
    while (this.total + size > this.max) {
      const largest = this.findLargest();
      // Evicting a holder that is no larger would only change who is refused.
      if (!largest || largest.size <= asking.size + size) {
        throw this.refusal;
      }
      // Evicts its newest work, on which the least time has been spent.
      [...largest.holds].findLast((hold) => hold.size > 0)?.evict();
    }
  }

  private findLargest(): Holder | undefined {
    let largest: Holder | undefined;
    for (const holder of this.holders.values()) {
      if (!largest || holder.size > largest.size) {
        largest = holder;
      }
    }
    return largest;
  }
}
