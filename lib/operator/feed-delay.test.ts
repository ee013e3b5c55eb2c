import * as fc from "fast-check";
import { expect, test } from "vitest";
import { FeedDelay } from "#lib/operator/feed-delay.ts";

const PERIOD_MS = 5_000;

/** Transactions of a cluster: each begins and ends at some period. */
const run = fc.record({
  begins: fc.array(fc.tuple(fc.nat(30), fc.nat(12)), { maxLength: 40 }),
  periods: fc.constant(45),
});

test("the delay is the age of the oldest snapshot that the feed has not reached", () => {
  fc.assert(
    fc.property(run, ({ begins, periods }) => {
      const transactions = begins
        .toSorted(([a], [b]) => a - b)
        .map(([begin, length], at) => ({ xid: BigInt(at + 10), begin, end: begin + length }));
      const delay = new FeedDelay();
      const ends: bigint[] = [];
      for (let period = 0; period < periods; period += 1) {
        const begun = transactions.filter(({ begin }) => begin <= period);
        const until = BigInt(begun.length + 10);
        const running = begun.filter(({ end }) => end > period).map(({ xid }) => xid);
        const from = running[0] ?? until;
        ends.push(until);
        const oldest = ends.findIndex((end) => end > from);
        const expected = oldest === -1 ? 0 : (period - oldest) * PERIOD_MS;
        expect(delay.note({ from, until }, period * PERIOD_MS)).toBe(expected);
      }
    }),
  );
});

test("a cluster whose positions are lower than before starts anew", () => {
  const delay = new FeedDelay();
  expect(delay.note({ from: 100n, until: 120n }, 0)).toBe(0);
  expect(delay.note({ from: 100n, until: 120n }, 5_000)).toBe(5_000);
  expect(delay.note({ from: 50n, until: 60n }, 10_000)).toBe(0);
});
