import { eq } from "drizzle-orm";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { waitForHorizon } from "#test/database/feed-horizon.ts";
import { newCard, newIntegrator, newOrigin, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { PERIOD_UNITS, toPeriodName } from "#lib/base/calendar-period.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import type { PurchaseDescription } from "#lib/transactions/card-transaction-records.ts";
import { addDays, toLocalDay } from "#lib/base/time-zone.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import { performOne } from "#lib/group-commit/batch.ts";
import { rollUp } from "#lib/overview/rollup.ts";
import { countDeclines } from "#lib/overview/declines.ts";
import { readSpend, toNet } from "#lib/overview/spend.ts";
import { readTopCards } from "#lib/overview/top-cards.ts";
import { authorize } from "#lib/purchases/authorizations.ts";
import { captureAuthorization, postPurchase } from "#lib/purchases/captures.ts";
import { refund } from "#lib/purchases/refunds.ts";
import { takeBack } from "#lib/purchases/taking-back.ts";
import { getStatement } from "#lib/statements/statement.ts";
import { toPeriod } from "#lib/statements/period.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";
import { toNetAmount } from "#lib/transactions/net-amount.ts";
import type { TransactionFilter } from "#lib/transactions/transaction-filter.ts";
import { listTransactions } from "#lib/transactions/transactions.ts";
import { PastClock, setPastClock } from "#db/past-clock.ts";
import { integrators } from "#db/schema/integrators.ts";
import { inTransaction } from "#db/transaction.ts";

/**
 * What was spent by category, by country, and by card, in accounts that buy, capture, refund, and take back over 80 days: the same as
 * the purchases minus the refunds in the statements of all cards, and as the transactions that each sum leads to.
 */

const HOUR_MS = 3_600_000;
const DAYS = 80;
const CARDS = 2;
const RUNS = 12;
const DECLINED_FROM = 300;
/** Days begin at full hours, at half an hour, and at a quarter to. */
const ZONES = ["UTC", "America/New_York", "Asia/Kolkata", "Pacific/Chatham"];

const merchant = fc.option(
  fc.record(
    {
      name: fc.constant("Shop"),
      mcc: fc.constantFrom(null, "5411", "5812", "4111"),
      city: fc.constant(null),
      country: fc.constantFrom(null, "US", "FR", "JP"),
    },
    // The query builder takes objects with a prototype only.
    { noNullPrototype: true },
  ),
  { nil: null },
);

const act = fc.record({
  does: fc.constantFrom("authorize", "capture", "capture", "post", "refund", "stray", "takeBack"),
  card: fc.nat(CARDS - 1),
  /** An index into the authorizations, or into what posted, modulo their number. */
  which: fc.nat(9),
  amount: fc.integer({ min: 1, max: 400 }),
  merchant,
  hoursLater: fc.integer({ min: 0, max: 90 }),
});
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

/** Lives an account's acts in the past, through the functions that the API calls. */
async function live(acts: readonly Act[]): Promise<{ account: TestIntegrator; cards: string[] }> {
  const account = await newIntegrator();
  const cards = [await newCard(account), await newCard(account)].map(({ id }) => id);
  const end = new Date();
  await inTransaction(testDatabase().db, async (tx) => {
    const start = new Date(end.getTime() - DAYS * 24 * HOUR_MS);
    const clock = new PastClock({ start, end });
    setPastClock(tx, clock);
    const ctx = { tx, actor: account.actor, request: newOrigin() };
    const moves = [
      { kind: "top-up" as const, amount: 10_000 },
      ...cards.map((cardId) => ({ kind: "credit" as const, cardId, amount: 3_000 })),
    ];
    for (const move of moves) {
      const caller = { actor: account.actor, request: newOrigin(), idempotencyKey: null };
      await performOne(tx, moveFunds, { ...caller, ...move });
    }
    const known: Known = { cards, held: [], posted: [] };
    for (const each of acts) {
      clock.moveTo(
        new Date(Math.min(clock.at.getTime() + each.hoursLater * HOUR_MS, end.getTime() - 60_000)),
      );
      await perform(ctx, each, known);
    }
  });
  return { account, cards };
}

interface Known {
  cards: readonly string[];
  held: string[];
  posted: string[];
}

interface Wanted {
  cardId: string;
  amount: number;
  /** The authorization, and what posted, that the act is about. */
  held: string;
  posted: string;
  said: Pick<PurchaseDescription, "narrative" | "merchant">;
}

/** Each act returns what it made: an authorization, or a row that posted. */
const DO: Readonly<Record<Act["does"], (ctx: WriteContext, wanted: Wanted) => Promise<string>>> = {
  authorize: async ({ tx, ...caller }, { cardId, amount, said }) => {
    const terms = { currency: null, expiresInS: HOLD_LIFE_S };
    // Some exceed what any card has.
    const requested = amount > DECLINED_FROM ? amount * 100 : amount;
    const asked = { ...caller, ...said, ...terms, cardId, amount: requested };
    return (await performOne(tx, authorize, asked)).transaction.id;
  },
  capture: async (ctx, { held, amount, said }) =>
    (await captureAuthorization(ctx, held, { amount, final: false, described: said })).id,
  post: async (ctx, { cardId, amount, said }) =>
    (await postPurchase(ctx, { ...said, cardId, amount })).id,
  refund: async (ctx, { cardId, amount, posted, said }) =>
    (await refund(ctx, { ...said, cardId, amount, of: { transactionId: posted } })).id,
  stray: async (ctx, { cardId, amount, said }) =>
    (await refund(ctx, { ...said, cardId, amount, of: null })).id,
  takeBack: async (ctx, { posted }) => (await takeBack(ctx, posted)).id,
};

/** A refused act changes nothing. */
async function perform(ctx: WriteContext, wanted: Act, known: Known): Promise<void> {
  const pick = (ids: readonly string[]) => ids[wanted.which % Math.max(1, ids.length)] ?? newId();
  const { does, amount, merchant: shop } = wanted;
  try {
    const made = await DO[does](ctx, {
      cardId: known.cards[wanted.card] ?? "",
      amount,
      held: pick(known.held),
      posted: pick(known.posted),
      said: { narrative: null, merchant: shop },
    });
    // The network takes back no row that takes one back.
    if (does !== "takeBack") {
      (does === "authorize" ? known.held : known.posted).push(made);
    }
  } catch (error) {
    if (!isDomainError(error)) {
      throw error;
    }
  }
}

/** What the statements of these cards say. */
async function readStated(
  account: TestIntegrator,
  cards: readonly string[],
  period: Record<string, string>,
): Promise<{ purchased: number; refunded: number }> {
  const sums = { purchased: 0, refunded: 0 };
  for (const cardId of cards) {
    const query = { cardId, period, limit: 1 };
    const { totals } = (await getStatement(reading(account), query)).statement;
    const of = (kind: string) => totals.find((total) => total.kind === kind)?.net ?? 0;
    sums.purchased -= of("card_purchase");
    sums.refunded += of("card_refund");
  }
  return sums;
}

/** Compares the sums of a period with the statements, and each sum with its transactions. */
async function compare(
  account: TestIntegrator,
  cards: readonly string[],
  { query, ...period }: { query: Record<string, string>; from: Date; to: Date },
): Promise<number> {
  const spend = await readSpend(reading(account), period);
  const stated = await readStated(account, cards, query);
  expect([query, spend.total]).toMatchObject([query, stated]);
  for (const [member, sums] of Object.entries({
    mcc: spend.categories,
    country: spend.countries,
  })) {
    expect(sums.reduce((sofar, each) => sofar + toNet(each), 0)).toBe(toNet(spend.total));
    for (const sum of sums) {
      const { rows } = await listTransactions(reading(account), {
        [member]: sum.name,
        postedFrom: period.from,
        postedTo: period.to,
        limit: 100,
      });
      const net = rows.reduce((sofar, row) => sofar - toNetAmount(row), 0);
      expect([sum, rows.length, net]).toEqual([sum, sum.transactions, toNet(sum)]);
    }
  }
  return spend.categories.length;
}

/** Compares how often requests were declined for each reason with the transactions that it leads to. */
async function compareDeclines(account: TestIntegrator, { from, to }: { from: Date; to: Date }) {
  const counted = await countDeclines(reading(account), { from, to });
  const list = async (filter: Pick<TransactionFilter, "statuses" | "declineReasons">) =>
    (await listTransactions(reading(account), { ...filter, from, to, limit: 100 })).rows;
  for (const { reason, count } of counted) {
    expect([reason, (await list({ declineReasons: [reason] })).length]).toEqual([reason, count]);
  }
  const all = counted.reduce((sofar, { count }) => sofar + count, 0);
  expect((await list({ statuses: ["declined"] })).length).toBe(all);
  return all;
}

async function rollUpAll(): Promise<void> {
  await waitForHorizon();
  while (await rollUp(testDatabase().db)) {
    // There is more.
  }
}

/** Compares the sums of the cards with the statements of each, and with the transactions that each leads to. */
async function compareCards(
  account: TestIntegrator,
  { timeZone, now, day, most }: { timeZone: string; now: Date; day: string; most: number },
): Promise<number> {
  const days = { from: addDays(day, -40), to: day };
  const period = toPeriod(days, { timeZone, now });
  const top = await readTopCards(reading(account), period, { timeZone, movementsMax: most });
  const from = top.since ?? days.from;
  const counted = toPeriod({ ...days, from }, { timeZone, now });
  const { total } = await readSpend(reading(account), counted);
  const add = (key: "purchased" | "refunded" | "transactions") =>
    top.cards.reduce((sofar, card) => sofar + card[key], 0);
  expect({
    purchased: add("purchased"),
    refunded: add("refunded"),
    transactions: add("transactions"),
  }).toEqual(total);
  expect(top.cardCount).toBe(top.cards.length);
  for (const card of top.cards) {
    const { purchased, refunded } = card;
    expect(await readStated(account, [card.cardId], { from, to: day })).toEqual({
      purchased,
      refunded,
    });
    const { rows } = await listTransactions(reading(account), {
      cardId: card.cardId,
      postedFrom: counted.from,
      postedTo: counted.to,
      limit: 100,
    });
    const net = rows.reduce((sum, row) => sum - toNetAmount(row), 0);
    expect([rows.length, net]).toEqual([card.transactions, toNet(card)]);
  }
  return top.since === null ? 0 : top.cards.length;
}

test("what was spent is purchases minus refunds of the statements, and of the transactions behind each sum", async () => {
  let compared = 0;
  let declined = 0;
  /** Cards of periods of which only the last days are counted. */
  let comparedPartly = 0;
  const property = fc.asyncProperty(
    fc.array(act, { minLength: 5, maxLength: 40, size: "max" }),
    fc.constantFrom(...ZONES),
    fc.record({ ago: fc.nat(DAYS - 1), most: fc.integer({ min: 1, max: 30 }) }),
    async (acts, timeZone, { ago, most }) => {
      const { account, cards } = await live(acts);
      await testDatabase()
        .db.update(integrators)
        .set({ timeZone })
        .where(eq(integrators.id, account.id));
      const now = new Date();
      const day = addDays(toLocalDay(now, timeZone), -ago);
      const periods = [
        ...PERIOD_UNITS.map((unit) => ({ [unit]: toPeriodName(unit, day) })),
        { from: addDays(day, -40), to: day },
      ].map((query) => ({ ...toPeriod(query, { timeZone, now }), query }));
      // From the transfers themselves, and then from the sums.
      for (const prepare of [() => Promise.resolve(), rollUpAll]) {
        await prepare();
        for (const period of periods) {
          compared += await compare(account, cards, period);
        }
      }
      for (const period of periods) {
        declined += await compareDeclines(account, period);
      }
      comparedPartly += await compareCards(account, { timeZone, now, day, most });
    },
  );
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  expect(compared).toBeGreaterThan(RUNS);
  expect(declined).toBeGreaterThan(0);
  expect(comparedPartly).toBeGreaterThan(0);
}, 120_000);
