import type { PastClock } from "#db/past-clock.ts";

export const HOUR_MS = 60 * 60 * 1_000;
export const DAY_MS = 24 * HOUR_MS;

/** Nothing happens this close to the present: records made after the demo must come after it. */
const MARGIN_MS = 10_000;

interface Entry {
  at: Date;
  act: () => Promise<unknown>;
}

/** What happens in the demo, in order of time. One thing may add others: a purchase adds its refund. */
export class Agenda {
  private readonly clock: PastClock;
  private readonly entries: Entry[] = [];
  private readonly endMs: number;

  constructor(clock: PastClock) {
    this.clock = clock;
    this.endMs = clock.end.getTime() - MARGIN_MS;
  }

  /** Adds something that happens at a moment, unless that is not in the past. */
  addAt(at: Date, act: Entry["act"]): void {
    if (at.getTime() > this.endMs) {
      return;
    }
    const before = this.entries.findLastIndex((entry) => entry.at <= at);
    this.entries.splice(before + 1, 0, { at, act });
  }

  /** Adds something that happens this long after the clock's moment. */
  addAfter(ms: number, act: Entry["act"]): void {
    this.addAt(new Date(this.clock.at.getTime() + ms), act);
  }

  /** Runs everything, in order. */
  async run(): Promise<void> {
    for (let entry = this.entries.shift(); entry; entry = this.entries.shift()) {
      this.clock.moveTo(entry.at);
      await entry.act();
    }
  }
}
