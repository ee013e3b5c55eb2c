import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { MessageSet, Outcome } from "#test/money/message-set.ts";
import { openLocalWorld } from "#test/money/local-world.ts";
import {
  anyMessageSet,
  endsTheSame,
  play,
  toHeld,
  toOrder,
  toSpent,
} from "#test/money/message-set.ts";

/** The card network's messages may arrive in any order. */

/** `MESSAGE_SETS=10000` runs as many; a failure names its seed. */
const SETS = Number(process.env["MESSAGE_SETS"] ?? 160);
const SIDE_BY_SIDE = 4;
const PRIORITIES = fc.array(fc.nat(1_000), { minLength: 8, maxLength: 8 });

/** An increment that came too late to increase its authorization is a question of its own, outside of the set. */
function haveSameAnswers(one: Outcome, other: Outcome): boolean {
  return [...one.answers].every(([at, answer]) => {
    const same = other.answers.get(at);
    return (
      !answer.own &&
      answer.approved === same?.approved &&
      answer.amount === same.amount &&
      !same.own
    );
  });
}

/** What two orders have in common. */
function toComparable(set: MessageSet, { held, balance, float, deficit }: Outcome) {
  return endsTheSame(set) ? { held, balance, float, deficit } : { held };
}

test("two orders in which every question got the same answer end with the same money", async () => {
  const world = await openLocalWorld();
  let compared = 0;
  const property = fc.asyncProperty(anyMessageSet, PRIORITIES, PRIORITIES, async (set, a, b) => {
    const one = await play(world, set, toOrder(set, a));
    const other = await play(world, set, toOrder(set, b));
    const { balance } = set.card;
    for (const each of [one, other]) {
      const { answers, held } = each;
      expect(each.balance + each.float - each.deficit).toBe(balance + set.float - toSpent(set));
      expect(held).toBe(toHeld(set, answers) ?? held);
    }
    const isSame = haveSameAnswers(one, other);
    compared += isSame ? 1 : 0;
    expect(toComparable(set, other)).toEqual(toComparable(set, isSame ? one : other));
  });
  await Promise.all(
    Array.from({ length: SIDE_BY_SIDE }, () =>
      fc.assert(property, { numRuns: Math.ceil(SETS / SIDE_BY_SIDE) }),
    ),
  );
  // Enough pairs of orders got the same answers to say something.
  expect(compared).toBeGreaterThan(SETS / 4);
}, 3_600_000);
