import { DomainError } from "#lib/base/errors.ts";

/** What some work has of a pool. */
export interface Room {
  /** Aborts when the work has lost its room. */
  readonly signal: AbortSignal;
  /**
   * Takes more.
   * @throws DomainError `overloaded` if the pool is full and no other holder would have more of it than this one then, or if
   * the work has lost its room.
   */
  take(size: number): void;
}

interface Hold {
  size: number;
  evict(): void;
}

interface Holder {
  size: number;
  /** In the order of their beginning. */
  holds: Set<Hold>;
}

/**
 * Room that everybody shares without fixed shares: while some is free, anybody may take all of it. Once it is full, whoever
 * holds the most is refused, and gives way to those who hold less. Among equals, the first keep what they have.
 */
export class SharedPool {
  private readonly max: number;
  private readonly refusal: DomainError;
  private readonly holders = new Map<string, Holder>();
  private total = 0;

  /** @param sentence tells a holder who is refused why. */
  constructor(max: number, sentence: string) {
    this.max = max;
    this.refusal = new DomainError("overloaded", sentence);
  }

  /**
   * Does work that takes room, which is free again once it has ended.
   * @throws DomainError `overloaded` as soon as the work loses its room to a smaller holder; what the work throws.
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
      // To take it from somebody who has no more than that would only change who is refused.
      if (!largest || largest.size <= asking.size + size) {
        throw this.refusal;
      }
      // Its newest, because the least has been done for it.
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
