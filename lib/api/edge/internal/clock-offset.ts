/** How far the database's clock is ahead of this process's monotonic one, within bounds. In milliseconds. */
interface Bounds {
  low: number;
  high: number;
  /** When the bounds applied, by the monotonic clock. */
  at: number;
}

/** NTP keeps the drift between two clocks below this. */
const DRIFT_MAX = 1e-4;
/** The database's readings are truncated to whole milliseconds. */
const RESOLUTION_MS = 1;

/**
 * Estimates from every reading of the database's clock how far it is ahead. The shorter a reading's round trip, the
 * more exact it is; together, readings are about as exact as the fastest one. A reading that contradicts earlier
 * ones, as after a failover to a node with another clock, replaces them.
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

/** The range that both allow; if they contradict each other, it is empty: `low` is above `high`. */
function narrow(known: Bounds, read: Bounds): Pick<Bounds, "low" | "high"> {
  const drift = (read.at - known.at) * DRIFT_MAX;
  return {
    low: Math.max(known.low - drift, read.low),
    high: Math.min(known.high + drift, read.high),
  };
}
