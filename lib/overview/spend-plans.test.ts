import { eq } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import {
  countBuffers,
  dropSearchIndexes,
  switchOffAutovacuum,
} from "#test/database/table-figures.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";
import { readBalanceDays } from "#lib/overview/balance-days.ts";
import { rollUp } from "#lib/overview/rollup.ts";
import { readSpend } from "#lib/overview/spend.ts";
import { readTopSpend } from "#lib/overview/top-spend.ts";
import { listTransactions } from "#lib/transactions/transactions.ts";
import { closeDatabase, configureDatabase, database } from "#db/client.ts";
import { cards } from "#db/schema/cards.ts";
import { inSnapshot } from "#db/long-transactions.ts";

/** What insights, and the transactions that they lead to, cost in a small account and in one twenty times as large. */

const SMALL = 2_000;
const LARGE = 40_000;
const DAYS = 80;
const DAY_MS = 86_400_000;
/** How many rows the compared periods have. */
const ROWS = 1_000;
const GROWTH_MAX = 1.3;

let owner: postgres.Sql;
let small: TestIntegrator;
let large: TestIntegrator;
const end = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);

beforeAll(async () => {
  const { url, ownerUrl } = testDatabase();
  owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await switchOffAutovacuum(owner);
  await dropSearchIndexes(owner);
  small = await spend(SMALL);
  large = await spend(LARGE);
  while (await rollUp(testDatabase().db)) {
    // There is more.
  }
  await owner`vacuum analyze transactions, transfers, entries, spend_rollups`;
  // One connection, so that its counters can be read.
  await closeDatabase();
  configureDatabase(url, { max: 1 });
}, 120_000);

afterAll(async () => {
  // No float has paid for these purchases, and the check after this file would miss it.
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    for (const table of [
      "transactions",
      "entries",
      "transfers",
      "spend_rollups",
      "transfer_rollups",
    ]) {
      await tx`delete from ${tx(table)} where integrator_id in ${tx([small.id, large.id])}`;
    }
  });
  await owner.end();
});

/** An account whose card has made so many purchases, evenly, in 16 categories and 5 countries. */
async function spend(purchases: number): Promise<TestIntegrator> {
  const integrator = await newIntegrator();
  const { id: cardId } = await newCard(integrator);
  const { id } = integrator;
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`create temporary table bought on commit drop as
      select n, at, (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0')
        || '8' || substr(md5(n || ${id}::text), 1, 15))::uuid as id
      from generate_series(1, ${purchases}) as n
      cross join lateral (select date_trunc('milliseconds', ${end}::timestamptz - interval '1 day' * ${DAYS}::float8
        * (1 - n::float8 / ${purchases + 1}::float8)) as at) as times`;
    await tx`insert into transfers (integrator_id, id, kind, currency, debit_account_id, credit_account_id, amount, request_id, created_at)
      select ${id}::uuid, bought.id, 'card_purchase', 'USD', ${cardId}::uuid, network.id, 100, 'load', at
      from bought cross join (select id from ledger_accounts where integrator_id = ${id} and kind = 'network') as network`;
    await tx`insert into entries (integrator_id, transfer_id, account_id, currency, amount, account_version, balance_after)
      select ${id}::uuid, id, ${cardId}::uuid, 'USD', -100, n, 0 from bought`;
    await tx`insert into transactions (integrator_id, id, card_id, transfer_id, type, status, amount, currency, account_version,
        card_balance_before, card_balance_after, merchant, posted_as, actor, request_id, created_at, settled_at)
      select ${id}::uuid, id, ${cardId}::uuid, id, 'deduct', 'settled', 100, 'USD', n, 100, 0,
        jsonb_build_object('name', 'Shop ' || n % 16, 'mcc', (5400 + n % 16)::text, 'city', null,
          'country', (array['US','FR','GB','JP','DE'])[1 + n % 5]),
        'without_authorization', '{"type": "system", "id": null, "name": "Load"}'::jsonb, 'load', at, at
      from bought`;
  });
  return integrator;
}

/** The period before the end in which an account has made so many purchases. */
function toPeriod(purchases: number, rows: number): { from: Date; to: Date } {
  return { from: new Date(end.getTime() - (rows / purchases) * DAYS * DAY_MS), to: end };
}

async function measure<T>(
  { actor }: TestIntegrator,
  read: (ctx: ReadContext) => Promise<T>,
): Promise<{ result: T; buffers: number; ms: number }> {
  // The first reading also loads what every connection reads once.
  await inSnapshot(database(), (db) => read({ db, actor }));
  const before = await countBuffers(owner);
  const startedAt = performance.now();
  const result = await inSnapshot(database(), (db) => read({ db, actor }));
  const ms = performance.now() - startedAt;
  return { result, buffers: (await countBuffers(owner)) - before, ms };
}

test("the sums of a period cost the same however large the account is", async () => {
  const sums = async (integrator: TestIntegrator, purchases: number) =>
    measure(integrator, (ctx) => readSpend(ctx, toPeriod(purchases, ROWS)));
  const [one, other] = [await sums(small, SMALL), await sums(large, LARGE)];
  expect([one, other].map(({ result }) => result.total.purchased)).toEqual([
    ROWS * 100,
    ROWS * 100,
  ]);
  expect(other.buffers).toBeLessThanOrEqual(one.buffers * GROWTH_MAX);
});

test("the cards, the cardholders, and the merchants with the most spending cost the same however large the account is", async () => {
  for (const movementsMax of [ROWS * 2, ROWS / 2]) {
    const top = async (integrator: TestIntegrator, purchases: number) =>
      measure(integrator, async (ctx) => {
        await planByIndex(ctx);
        return readTopSpend(ctx, toPeriod(purchases, ROWS), { timeZone: "UTC", movementsMax });
      });
    const [one, other] = [await top(small, SMALL), await top(large, LARGE)];
    expect(other.buffers).toBeLessThanOrEqual(one.buffers * GROWTH_MAX + 10);
    const whole = [one, other].filter(({ result }) => result.since === null);
    expect(whole.map(({ result }) => result.cards.sums[0]?.purchased)).toEqual(
      movementsMax > ROWS ? [ROWS * 100, ROWS * 100] : [],
    );
  }
});

/** Reads the balances of an account's card. */
const look = (integrator: TestIntegrator) =>
  measure(integrator, async (ctx) => {
    const [card] = await ctx.db
      .select({ id: cards.id })
      .from(cards)
      .where(eq(cards.integratorId, integrator.id));
    return readBalanceDays(ctx, { id: card?.id ?? "", balance: 0 }, "UTC");
  });

test("the balances of a card's last days are looked up, however often it was used", async () => {
  const [one, other] = [await look(small), await look(large)];
  const steps = Math.log2(LARGE) / Math.log2(SMALL);
  expect(other.buffers).toBeLessThanOrEqual(one.buffers * steps * GROWTH_MAX);
});

test.each([
  ["a category", { mcc: "5401" }, 0],
  ["a country", { country: "JP" }, 0],
  // No index leads to a merchant's rows in a period: at most, all rows of the period are read.
  ["a merchant", { merchant: "Shop 1" }, ROWS],
])(
  "the newest transactions of %s cost the same, also of a period, and of one long ago",
  async (_what, filter, rowsMax) => {
    for (const daysAgo of [undefined, 0, DAYS / 2]) {
      const list = async (integrator: TestIntegrator, purchases: number) =>
        measure(integrator, (ctx) =>
          listTransactions(ctx, { ...filter, ...toPosted(purchases, daysAgo), limit: 50 }),
        );
      const [one, other] = [await list(small, SMALL), await list(large, LARGE)];
      expect([one, other].map(({ result }) => result.rows.length)).toEqual([50, 50]);
      expect(other.buffers).toBeLessThanOrEqual(Math.max(one.buffers, rowsMax) * GROWTH_MAX + 10);
    }
  },
);

/** Selects what posted in a period with the compared number of rows that ended so many days ago; undefined for all. */
function toPosted(purchases: number, daysAgo: number | undefined) {
  if (daysAgo === undefined) {
    return {};
  }
  const { from, to } = toPeriod(purchases, ROWS);
  const postedFrom = new Date(from.getTime() - daysAgo * DAY_MS);
  return { postedFrom, postedTo: new Date(to.getTime() - daysAgo * DAY_MS) };
}
