import { sql } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { waitForHorizon } from "#test/database/feed-horizon.ts";
import { APPEND_ONLY } from "#db/schema/append-only.ts";
import { openDatabase } from "#db/client.ts";
import type { Db } from "#db/client.ts";
import { readEnv } from "#lib/base/env.ts";
import { toTimeOfId } from "#lib/base/ids.ts";
import { verifyBooks } from "#lib/ledger/verify.ts";
import { createDemo } from "#lib/operator/demo.ts";
import type { Demo } from "#lib/operator/demo.ts";
import { requireSameInstallation } from "#lib/operator/installation.ts";
import { removeExpired } from "#lib/operator/retention.ts";
import { getOverview } from "#lib/overview/overview.ts";
import { rollUp } from "#lib/overview/rollup.ts";
import { expireHolds } from "#lib/purchases/hold-expiry.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** What each of two servers had once it was past making the demo. */
let outcomes: { made: Demo | undefined; isThere: boolean | undefined }[];
let demo: Demo;
let madeBetween: [number, number];

/** Prepares a server as far as its demo. */
async function begin(db: Db): Promise<(typeof outcomes)[number]> {
  const made = await createDemo(db);
  const [row] = await db.execute<{ there: boolean }>(
    sql`select exists (select from integrators) as there`,
  );
  return { made, isThere: row?.there };
}

/** Two servers start at once on an empty sandbox. */
beforeAll(async () => {
  const { url } = testDatabase();
  const servers = [openDatabase(url, { max: 2 }), openDatabase(url, { max: 2 })];
  // As each does before it serves.
  await Promise.all(servers.map(({ db }) => requireSameInstallation(db, readEnv({}))));
  const startedAt = Date.now();
  outcomes = await Promise.all(servers.map(({ db }) => begin(db)));
  madeBetween = [startedAt, Date.now()];
  await Promise.all(servers.map((server) => server.close()));
  const made = outcomes.find((outcome) => outcome.made)?.made;
  if (!made) {
    throw new Error("No demo was made in an empty sandbox.");
  }
  demo = made;
}, 90_000);

async function count(query: ReturnType<typeof sql>): Promise<number> {
  const [row] = await testDatabase().db.execute<{ count: number }>(query);
  return row?.count ?? Number.NaN;
}

test("the demo is 90 days of everything that can happen to a card, and leaves the first card ready to use", async () => {
  const { db } = testDatabase();
  const counted = await db.execute<{ kind: string; count: number }>(sql`
    select coalesce(decline_reason, type || ' ' || status) as kind, count(*)::int as count
    from transactions where integrator_id = ${demo.integratorId} group by 1`);
  const kinds = new Map(counted.map((row) => [row.kind, row.count]));
  for (const kind of [
    "credit settled",
    "debit settled",
    "deduct authorized",
    "deduct settled",
    "deduct reversed",
    "deduct expired",
    "deduct-reversal settled",
    "card_frozen",
    "card_closed",
    "card_expired",
    "single_use_spent",
    "currency_mismatch",
    "insufficient_funds",
  ]) {
    expect({ kind, count: kinds.get(kind) }).toEqual({ kind, count: expect.any(Number) });
  }
  const all = counted.reduce((sum, row) => sum + row.count, 0);
  expect(all).toBeGreaterThanOrEqual(600);
  expect(all).toBeLessThanOrEqual(1_000);
  const [card] = await db.execute<{ status: string; available: number }>(sql`
    select status, (balance - held)::float8 as available from ledger_accounts
    where integrator_id = ${demo.integratorId} and id = ${demo.cardId}`);
  expect(card?.status).toBe("active");
  expect(card?.available).toBeGreaterThan(10_000);
});

test("every record has the time of the story: its first day is 90 days ago, its last minutes ago, and nothing is of the future", async () => {
  const [startedAt, endedAt] = madeBetween;
  const [row] = await testDatabase().db.execute<{ first: number; last: number }>(sql`
    select extract(epoch from min(created_at)) * 1000 as first, extract(epoch from max(created_at)) * 1000 as last
    from events where integrator_id = ${demo.integratorId}`);
  expect(Number(row?.first)).toBeGreaterThanOrEqual(startedAt - 90 * DAY_MS);
  expect(Number(row?.first)).toBeLessThan(endedAt - 89 * DAY_MS);
  expect(Number(row?.last)).toBeGreaterThan(startedAt - 600_000);
  expect(Number(row?.last)).toBeLessThan(startedAt);
});

/** The clocks of the test and of the database may differ by this. */
const TOLERANCE_MS = 9_000;

test("no row that the demo wrote took the time of its writing, in any table and in any column", async () => {
  const { db } = testDatabase();
  const columns = await db.execute<{ table: string; column: string; type: string }>(sql`
    select c.table_name as table, c.column_name as column, c.data_type as type
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.data_type in ('timestamp with time zone', 'uuid')
      and exists (select from information_schema.columns i
        where i.table_name = c.table_name and i.column_name in ('integrator_id') or c.table_name = 'integrators')`);
  expect(columns.length).toBeGreaterThan(40);
  const [startedAt, endedAt] = madeBetween;
  const late: string[] = [];
  for (const { table, column, type } of columns) {
    const rows = await db.execute<{ value: string }>(sql`
      select ${sql.identifier(column)}::text as value from ${sql.identifier(table)}
      where ${sql.identifier(column)} is not null`);
    for (const { value } of rows) {
      const ms = type === "uuid" ? toTimeOfId(value) : Date.parse(value);
      if (ms !== undefined && ms > startedAt - TOLERANCE_MS && ms < endedAt + TOLERANCE_MS) {
        late.push(`${table}.${column} ${value}`);
      }
    }
  }
  expect(late).toEqual([]);
});

test("events, transfers, and audit rows are in the order of their times, within each of their orders", async () => {
  for (const table of ["events", "transfers", "audit_log", "card_state_changes", "transactions"]) {
    const wrong = await count(sql`
      select count(*)::int from (
        select created_at, lag(created_at) over (order by id) as before from ${sql.identifier(table)}
      ) ordered where before > created_at`);
    expect({ table, wrong }).toEqual({ table, wrong: 0 });
  }
});

test("the books balance, and the sums by day say what the transfers say", async () => {
  const { db } = testDatabase();
  expect(await verifyBooks(db)).toEqual([]);
  await waitForHorizon();
  while (await rollUp(db)) {
    // Batch by batch.
  }
  const wrong = await count(sql`
    select count(*)::int from (
      select date_bin('15 minutes', created_at, 'epoch') as quarter, kind, sum(amount) as amount
      from transfers where integrator_id = ${demo.integratorId} group by 1, 2
    ) t full join (select * from transfer_rollups where integrator_id = ${demo.integratorId}) r using (quarter, kind)
    where t.amount is distinct from r.amount`);
  expect(wrong).toBe(0);
});

function readOverview(days?: number) {
  const { db } = testDatabase();
  const actor = { integratorId: demo.integratorId, ref: { type: "system", id: null, name: "T" } };
  return getOverview({ db, actor: actor as never }, "UTC", days);
}

test("the overview of the demo is that of a business: movement in all of its weeks, declines, and a forecast", async () => {
  const overview = await readOverview();
  for (let week = 0; week < 4; week += 1) {
    const days = overview.days.slice(week * 7, week * 7 + 7);
    expect(days.some(({ inflow, outflow }) => inflow + outflow > 0)).toBe(true);
  }
  expect(overview.decisions.declines.length).toBeGreaterThanOrEqual(3);
  expect(overview.forecast?.earliest).toBeGreaterThan(7);
  expect(overview.forecast?.latest).toBeLessThan(180);
});

test("an overview of fewer or more days counts only those, and forecasts the same", async () => {
  const month = await readOverview();
  const week = await readOverview(7);
  const quarter = await readOverview(90);
  expect([week, month, quarter].map(({ days }) => days.length)).toEqual([7, 30, 90]);
  expect(week.days).toEqual(month.days.slice(-7));
  expect(month.days).toEqual(quarter.days.slice(-30));
  expect([week.forecast, quarter.forecast]).toEqual([month.forecast, month.forecast]);
  const declined = [week, month, quarter].map(({ decisions }) =>
    decisions.declines.reduce((sum, { count: times }) => sum + times, 0),
  );
  expect(declined).toEqual([...new Set(declined)].toSorted((one, other) => one - other));
});

test("nothing is left that a server would expire, remove, or deliver as soon as it starts", async () => {
  const { db } = testDatabase();
  expect(await expireHolds(db)).toBe(0);
  expect(await removeExpired(db)).toBe(0);
  for (const table of ["webhook_deliveries", "messages", "api_log", "idempotent_requests"]) {
    expect(await count(sql`select count(*)::int from ${sql.identifier(table)}`)).toBe(0);
  }
});

test("what the demo recorded cannot be changed either", async () => {
  const { db } = testDatabase();
  for (const table of APPEND_ONLY) {
    await expect(db.execute(sql`delete from ${sql.identifier(table)}`)).rejects.toThrow(
      /Failed query/u,
    );
  }
});

describe("a demo is made once", () => {
  test("and not where an integrator is", async () => {
    expect(await createDemo(testDatabase().db)).toBeUndefined();
  });

  test("of two servers that start at once on an empty sandbox, one makes it, and the other waits until it is there", () => {
    expect(outcomes.filter(({ made }) => made)).toHaveLength(1);
    expect(outcomes.map(({ isThere }) => isThere)).toEqual([true, true]);
  });
});
