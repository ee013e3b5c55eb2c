/** Numbers from a seed, so that a run can be repeated (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  /** From 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** @throws Error when there is nothing to pick from. */
  pick<T>(values: readonly T[]): T {
    for (const value of values.slice(this.below(values.length))) {
      return value;
    }
    throw new Error("There is nothing to pick from.");
  }

  /** A UUID version 4. */
  uuid(): string {
    return "xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx".replaceAll("x", () =>
      this.below(16).toString(16),
    );
  }

  /** Each request has its own address, because limits by address are tested elsewhere. */
  address(): string {
    return `10.${this.below(256)}.${this.below(256)}.${this.below(256)}`;
  }
}
