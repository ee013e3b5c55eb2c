import { eq } from "drizzle-orm";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { waitForHorizon } from "#test/database/feed-horizon.ts";
import { reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { act, live, LIVED_DAYS } from "#test/scene/lived-account.ts";
import type { Act } from "#test/scene/lived-account.ts";
import { listDays, PERIOD_UNITS, toPeriodName } from "#lib/base/calendar-period.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { addDays, toDayStart, toLocalDay } from "#lib/base/time-zone.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { readBalanceDays } from "#lib/overview/balance-days.ts";
import { rollUp } from "#lib/overview/rollup.ts";
import { countDeclinesWithin } from "#lib/overview/declines.ts";
import { readSpend, toNet } from "#lib/overview/spend.ts";
import { readTopSpend } from "#lib/overview/top-spend.ts";
import { getStatement } from "#lib/statements/statement.ts";
import { toPeriod } from "#lib/statements/period.ts";
import type { StatementPeriod } from "#lib/statements/period.ts";
import { toNetAmount } from "#lib/transactions/net-amount.ts";
import type { TransactionFilter } from "#lib/transactions/transaction-filter.ts";
import { listTransactions } from "#lib/transactions/transactions.ts";
import { integrators } from "#db/schema/integrators.ts";

/**
 * What was spent by category, by country, by card, by cardholder, and by merchant, in accounts that buy, capture, refund, and take back over
 * 80 days: the same as the purchases minus the refunds in the statements of all cards, and as the transactions that each sum
 * leads to.
 */

const RUNS = 12;
/** Days begin at full hours, at half an hour, and at a quarter to. */
const ZONES = ["UTC", "America/New_York", "Asia/Kolkata", "Pacific/Chatham"];

/** A life that has everything which is compared, so that nothing depends on what chance brings. */
const FULL_LIFE: readonly Act[] = (() => {
  const common = { card: 0, which: 0, merchant: null, hoursLater: 0 };
  const tooMuch: Act = { ...common, does: "authorize", amount: 400 };
  const bought: Act = { ...common, does: "post", amount: 100 };
  const later = Array.from({ length: 20 }, () => ({ ...bought, hoursLater: 90 }));
  return [tooMuch, bought, bought, bought, ...later];
})();
/** Days after its first purchases. Most of the movements until then are on the first day, more than are counted. */
const FULL_PERIOD = { ago: LIVED_DAYS - 8, most: 3 };

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
  cards: readonly Card[],
  { query, ...period }: { query: Record<string, string>; from: Date; to: Date },
): Promise<number> {
  const spend = await readSpend(reading(account), period);
  const stated = await readStated(
    account,
    cards.map(({ id }) => id),
    query,
  );
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

/**
 * Compares how often requests were declined for each reason, and in each part of a period, with the transactions that it leads
 * to.
 */
async function compareDeclines(
  account: TestIntegrator,
  { from, to, days, timeZone }: StatementPeriod & { timeZone: string },
) {
  const starts = (days ? listDays(days) : []).map((day) => toDayStart(day, timeZone));
  const counted = await countDeclinesWithin(reading(account), { starts, to });
  const list = async (
    filter: Pick<TransactionFilter, "statuses" | "declineReasons">,
    part = { from, to },
  ) => (await listTransactions(reading(account), { ...filter, ...part, limit: 100 })).rows;
  for (const { reason, count, counts } of counted) {
    const declineReasons = [reason];
    expect([reason, (await list({ declineReasons })).length]).toEqual([reason, count]);
    const listed = await Promise.all(
      starts.map((start, nth) =>
        list({ declineReasons }, { from: start, to: starts[nth + 1] ?? to }),
      ),
    );
    expect([reason, listed.map(({ length }) => length)]).toEqual([reason, counts]);
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

/**
 * Compares the sums of cards and of cardholders with the statements, and these and those of merchants with the transactions
 * that each leads to.
 */
async function compareTop(
  account: TestIntegrator,
  cards: readonly Card[],
  { timeZone, now, day, most }: { timeZone: string; now: Date; day: string; most: number },
): Promise<number> {
  const days = { from: addDays(day, -40), to: day };
  const period = toPeriod(days, { timeZone, now });
  const top = await readTopSpend(reading(account), period, { timeZone, movementsMax: most });
  const from = top.since ?? days.from;
  const counted = toPeriod({ ...days, from }, { timeZone, now });
  const { total } = await readSpend(reading(account), counted);
  for (const [filter, { sums, count }] of [
    ["cardId", top.cards],
    ["cardholderId", top.cardholders],
    ["merchant", top.merchants],
  ] as const) {
    const add = (key: "purchased" | "refunded" | "transactions") =>
      sums.reduce((sofar, each) => sofar + each[key], 0);
    expect({
      purchased: add("purchased"),
      refunded: add("refunded"),
      transactions: add("transactions"),
    }).toEqual(total);
    expect(count).toBe(sums.length);
    for (const { name, ...sum } of sums) {
      const { rows } = await listTransactions(reading(account), {
        // Requests and links lose the white space around a filter.
        [filter]: name.trim(),
        postedFrom: counted.from,
        postedTo: counted.to,
        limit: 100,
      });
      const net = rows.reduce((sofar, row) => sofar - toNetAmount(row), 0);
      expect([rows.length, net]).toEqual([sum.transactions, toNet(sum)]);
    }
  }
  for (const { name, purchased, refunded } of [...top.cards.sums, ...top.cardholders.sums]) {
    const own = cards.filter((card) => [card.id, card.cardholderId].includes(name));
    const ids = own.map(({ id }) => id);
    expect(await readStated(account, ids, { from, to: day })).toEqual({ purchased, refunded });
  }
  return top.since === null ? 0 : top.cards.sums.length;
}

/** Compares the balance at the end of each of the last days with the card's statements, and counts how many differ. */
async function compareBalances(account: TestIntegrator, cardId: string, timeZone: string) {
  const card = await getCard(reading(account), cardId);
  const days = await readBalanceDays(reading(account), card, timeZone);
  for (const { day, closing } of days) {
    const { statement } = await getStatement(reading(account), {
      cardId,
      period: { day },
      limit: 1,
    });
    expect([day, closing]).toEqual([day, statement.closing]);
  }
  return new Set(days.map(({ closing }) => closing)).size - 1;
}

test("what was spent is purchases minus refunds of the statements, and of the transactions behind each sum", async () => {
  let compared = 0;
  let declined = 0;
  /** Cards of periods of which only the last days are counted. */
  let comparedPartly = 0;
  /** How many more balances than one the last days of a card had, in all runs. */
  let balances = 0;
  const property = fc.asyncProperty(
    fc.array(act, { minLength: 5, maxLength: 40, size: "max" }),
    fc.constantFrom(...ZONES),
    fc.record({ ago: fc.nat(LIVED_DAYS - 1), most: fc.integer({ min: 1, max: 30 }) }),
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
        declined += await compareDeclines(account, { ...period, timeZone });
      }
      comparedPartly += await compareTop(account, cards, { timeZone, now, day, most });
      balances += await compareBalances(account, cards[0]?.id ?? "", timeZone);
    },
  );
  await fc.assert(property, {
    numRuns: RUNS,
    endOnFailure: true,
    examples: [[[...FULL_LIFE], "UTC", FULL_PERIOD]],
  });
  expect(compared).toBeGreaterThan(0);
  expect(declined).toBeGreaterThan(0);
  expect(comparedPartly).toBeGreaterThan(0);
  expect(balances).toBeGreaterThan(0);
}, 120_000);
