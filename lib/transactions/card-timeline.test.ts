import { and, eq, isNotNull } from "drizzle-orm";
import * as fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { freezeCard, move, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy, capture, hold, holdId, post, refundPurchase, reverse } from "#test/scene/spending.ts";
import { DomainError } from "#lib/base/errors.ts";
import { listCardActivity, listCardTimeline } from "#lib/transactions/card-activity.ts";
import type { TimelineEntry } from "#lib/transactions/card-activity.ts";
import { transactions } from "#db/schema/transactions.ts";

/** A timeline tells what happened in the order in which it happened, whatever happened. */

const FUNDED = 100_000;

let integrator: TestIntegrator;

beforeAll(async () => {
  integrator = await newIntegrator(10_000_000);
});

/** What can happen to a card. `of` chooses among the purchases so far. */
const STEP = fc.record({
  act: fc.constantFrom("credit", "debit", "buy", "hold", "capture", "post", "reverse", "refund"),
  amount: fc.integer({ min: 1, max: 90 }),
  of: fc.nat({ max: 5 }),
});

type Step = typeof STEP extends fc.Arbitrary<infer Value> ? Value : never;

/** The purchases of a card so far. */
interface Life {
  cardId: string;
  holds: string[];
  bought: string[];
}

const chooseOf = (ids: readonly string[], of: number) => ids[of % Math.max(ids.length, 1)];

const ACTS: Readonly<Record<Step["act"], (life: Life, step: Step) => Promise<unknown>>> = {
  credit: ({ cardId }, { amount }) => move(integrator, { kind: "credit", cardId, amount }),
  debit: ({ cardId }, { amount }) => move(integrator, { kind: "debit", cardId, amount }),
  buy: async ({ cardId, bought }, { amount }) =>
    bought.push((await buy(integrator, { cardId, amount })).transaction.id),
  hold: async ({ cardId, holds }, { amount }) =>
    holds.push(await holdId(integrator, { cardId, amount })),
  capture: async ({ holds }, { amount, of }) => {
    const id = chooseOf(holds, of);
    await (id && capture(integrator, id, { amount: Math.ceil(amount / 3) }));
  },
  post: ({ cardId }, { amount }) => post(integrator, { cardId, amount }),
  reverse: async ({ holds }, { of }) => {
    const id = chooseOf(holds, of);
    await (id && reverse(integrator, id));
  },
  refund: async ({ cardId, bought }, { of }) => {
    const transactionId = chooseOf(bought, of);
    await (transactionId && refundPurchase(integrator, { cardId, transactionId, amount: 1 }));
  },
};

/** Does the steps. What is refused, such as the capture of what is not held, has not happened. */
async function live(cardId: string, steps: readonly Step[]): Promise<void> {
  const life: Life = { cardId, holds: [], bought: [] };
  for (const step of steps) {
    await ACTS[step.act](life, step).catch((error: unknown) => {
      if (!(error instanceof DomainError)) {
        throw error;
      }
    });
  }
}

/** The whole timeline of a card, oldest first, a few entries on a page. */
async function readTimeline(cardId: string): Promise<TimelineEntry[]> {
  const entries: TimelineEntry[] = [];
  let cursor: string | undefined;
  do {
    const page = await listCardTimeline(reading(integrator), [cardId], { limit: 7, cursor });
    entries.push(...page.rows);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return entries.toReversed();
}

/** The entries that moved funds: each shows a balance. */
function toMoved(entries: readonly TimelineEntry[]) {
  return entries.flatMap((entry) =>
    entry.type === "capture" ||
    (entry.type === "transaction" &&
      entry.transaction.settledAt !== null &&
      entry.transaction.holdAmount === null)
      ? [entry.transaction]
      : [],
  );
}

async function readVersions(cardId: string): Promise<string[]> {
  const rows = await testDatabase()
    .db.select({ id: transactions.id })
    .from(transactions)
    .where(and(eq(transactions.cardId, cardId), isNotNull(transactions.accountVersion)))
    .orderBy(transactions.accountVersion);
  return rows.map(({ id }) => id);
}

test("what moved funds stands in the order of the account's versions, each balance follows from the one before", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 30 }), async (steps) => {
      const { id } = await newCard(integrator, FUNDED);
      await live(id, steps);
      const moved = toMoved(await readTimeline(id));
      expect(moved.map((transaction) => transaction.id)).toEqual(await readVersions(id));
      let balance = 0;
      for (const { cardBalanceBefore, cardBalanceAfter } of moved) {
        expect(cardBalanceBefore).toBe(balance);
        balance = cardBalanceAfter;
      }
    }),
    { numRuns: 25, seed: 59 },
  );
});

test("a purchase that was approved before a freeze and captured after it stands on both sides of it", async () => {
  const { id } = await newCard(integrator, FUNDED);
  const { transaction } = await hold(integrator, { cardId: id, amount: 5_200 });
  await write(integrator, (ctx) => freezeCard(ctx, id, { reason: "stolen" }));
  await capture(integrator, transaction.id);
  const told = (await readTimeline(id)).map((entry) => [
    entry.type,
    "transaction" in entry ? entry.transaction.id : null,
  ]);
  expect(told.slice(-3)).toEqual([
    ["transaction", transaction.id],
    ["state_change", null],
    ["capture", transaction.id],
  ]);
});

test("the timelines of several cards have the same entries as each alone; the API's activity has no captures", async () => {
  const cards = [await newCard(integrator, FUNDED), await newCard(integrator, FUNDED)];
  for (const { id: cardId } of cards) {
    await capture(integrator, await holdId(integrator, { cardId, amount: 50 }));
  }
  const ids = cards.map(({ id }) => id);
  const both = await listCardTimeline(reading(integrator), ids, { limit: 99 });
  const alone = (await Promise.all(ids.map(readTimeline))).flat();
  expect(both.rows).toEqual(alone.toSorted((a, b) => (a.id < b.id ? 1 : -1)));
  const [first = ""] = ids;
  const activity = await listCardActivity(reading(integrator), first, { limit: 99 });
  expect(activity.rows.filter(({ type }) => type === "transaction")).toHaveLength(2);
  expect(alone.filter(({ type }) => type === "capture")).toHaveLength(2);
});

test("of one type, captures belong to transactions", async () => {
  const { id } = await newCard(integrator, FUNDED);
  await capture(integrator, await holdId(integrator, { cardId: id, amount: 50 }));
  const typesOf = async (type: "transaction" | "note") =>
    (await listCardTimeline(reading(integrator), [id], { limit: 99, type })).rows.map(
      (entry) => entry.type,
    );
  expect(await typesOf("transaction")).toEqual(["capture", "transaction", "transaction"]);
  expect(await typesOf("note")).toEqual([]);
});
