/**
 * The bounds of a snapshot as positions of the feed of events: everything below `from` has ended, and nothing from
 * `until` on has begun.
 */
export interface SnapshotBounds {
  from: bigint;
  until: bigint;
}

interface Moment {
  at: number;
  until: bigint;
}

/**
 * How long the feed of events has been held back. Any transaction on the cluster that has written something holds it
 * back until the transaction ends, even one in another database. The server's role may not see the age of such a
 * transaction. So the delay is measured indirectly: by when the feed reaches the end of an earlier snapshot.
 */
export class FeedDelay {
  private moments: Moment[] = [];
  private reached = 0n;

  /**
   * @param at the time of the snapshot, in milliseconds.
   * @returns the age in milliseconds of the oldest snapshot that the feed has not reached; 0 if it has reached all of them.
   */
  note({ from, until }: SnapshotBounds, at: number): number {
    if (from < this.reached) {
      // The positions went back, so this is another cluster, such as a restored one.
      this.moments = [];
    }
    this.reached = from;
    if (this.moments.at(-1)?.until !== until) {
      this.moments.push({ at, until });
    }
    const unreached = this.moments.findIndex((moment) => moment.until > from);
    this.moments = unreached === -1 ? [] : this.moments.slice(unreached);
    const [oldest] = this.moments;
    return oldest ? at - oldest.at : 0;
  }
}
