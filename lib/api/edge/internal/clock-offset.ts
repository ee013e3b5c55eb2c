/** How far the database's clock is ahead of this process's monotonic one, within bounds. In milliseconds. */
interface Bounds {
  low: number;
  high: number;
  /** When they held, by the monotonic clock. */
  at: number;
}

/** Two clocks that are kept by NTP drift apart by less than this. */
const DRIFT_MAX = 1e-4;
/** The database's readings are cut to whole milliseconds. */
const RESOLUTION_MS = 1;

/**
 * Estimates from every reading of the database's clock how far it is ahead. A reading is as exact as its round trip was
 * short; together they are about as exact as the fastest one. A reading that contradicts earlier ones, as after a
 * failover to a node with another clock, replaces them.
 */
export class ClockOffset {
  private known: Bounds | undefined;

  /**
   * @param databaseMs what the database read, in milliseconds since 1970.
   * @param asked when it was asked, and when it had answered, by the monotonic clock.
   * @returns how far the database's clock is ahead, in milliseconds.
   */
  learn(databaseMs: number, asked: { before: number; after: number }): number {
    const read = {
      low: databaseMs - asked.after,
      high: databaseMs + RESOLUTION_MS - asked.before,
      at: asked.after,
    };
    const { low, high } = this.known ? narrow(this.known, read) : read;
    this.known = low <= high ? { low, high, at: read.at } : read;
    return (this.known.low + this.known.high) / 2;
  }
}

/** The range that both allow; empty, with `low` above `high`, where they contradict each other. */
function narrow(known: Bounds, read: Bounds): Pick<Bounds, "low" | "high"> {
  const drift = (read.at - known.at) * DRIFT_MAX;
  return {
    low: Math.max(known.low - drift, read.low),
    high: Math.min(known.high + drift, read.high),
  };
}
