import { SeededRandom } from "#lib/base/seeded-random.ts";

/** What requests are made of, from a seed. */
export class Random extends SeededRandom {
  /** An integer from 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.next() * bound);
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
