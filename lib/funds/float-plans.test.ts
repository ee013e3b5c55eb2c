import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createScaledBooks } from "#test/database/scaled-books.ts";
import { countFloatEntries, listFloatEntries } from "#lib/funds/float-statement.ts";
import type { FloatFilter } from "#lib/funds/float-statement.ts";
import { getStatement } from "#lib/statements/statement.ts";
import { rollUp } from "#lib/overview/rollup.ts";
import { toLocalDay } from "#lib/base/time-zone.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { inSnapshot } from "#db/long-transactions.ts";
import { closeDatabase, configureDatabase, database } from "#db/client.ts";
import { testDatabase } from "#test/database/database.ts";
import {
  countBuffers,
  dropSearchIndexes,
  switchOffAutovacuum,
} from "#test/database/table-figures.ts";

/** A statement of 40,001 lines: one top-up, then every card's credits and debits in turn. */
const SCALE = { cards: 1_000, transactionsPerCard: 40 };
const LINES = SCALE.cards * SCALE.transactionsPerCard + 1;
const DAY_MS = 86_400_000;

/** The tables of movements. */
const TABLES = ["entries", "transfers", "transactions", "transfer_rollups"];
/** A page reads its lines, each with its transfer, its card's side, and its transaction there, and the way to them. */
const PAGE_BUFFERS_MAX = 1_500;
/** A count reads up to a thousand rows of one index, or the way to two lines. */
const COUNT_BUFFERS_MAX = 500;

let owner: postgres.Sql;
let integratorId: string;
let cardId: string;

beforeAll(async () => {
  const { url: appUrl, ownerUrl } = testDatabase();
  owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await switchOffAutovacuum(owner);
  await dropSearchIndexes(owner);
  integratorId = (await createScaledBooks({ appUrl, ownerUrl }, SCALE, { unguarded: true }))
    .integratorId;
  // A kind that none of the lines has, except the oldest of them.
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`update transfers set kind = 'card_sweep' where integrator_id = ${integratorId} and id in (
      select id from transfers where integrator_id = ${integratorId} and kind = 'card_debit' order by id limit 3)`;
  });
  const [card] =
    await owner`select id from cards where integrator_id = ${integratorId} order by id offset 10 limit 1`;
  cardId = String(card?.["id"]);
  await owner`analyze`;
  // One connection, so that its counters can be read.
  await closeDatabase();
  configureDatabase(appUrl, { max: 1 });
}, 300_000);

afterAll(() => owner.end());

async function measure<T>(
  read: (ctx: ReadContext) => Promise<T>,
): Promise<{ result: T; buffers: number }> {
  const before = await countBuffers(owner, TABLES);
  const actor = { integratorId, ref: { type: "system", id: null, name: "Test" } } as const;
  const result = await inSnapshot(database(), (db) => read({ db, actor }));
  return { result, buffers: (await countBuffers(owner, TABLES)) - before };
}

/** A balance reads the way to two lines among all of them, twice the search of a phone book. */
const BALANCE_BUFFERS_MAX = 300;

/** Totals of 31 days read at most a buffer for the credits and one for the debits of each quarter of an hour. */
const SUMS_BUFFERS_MAX = 31 * 24 * 4 * 2;

const ago = (days: number) => new Date(Date.now() - days * DAY_MS);

const FILTERS: readonly [string, () => FloatFilter, number, number][] = [
  ["nothing", () => ({}), 51, LINES],
  ["top-ups", () => ({ kind: "float_top_up" }), 1, 1],
  ["the rarest kind, at the far end", () => ({ kind: "card_sweep" }), 3, 3],
  ["debits", () => ({ kind: "card_debit" }), 51, 1_000],
  ["credits", () => ({ kind: "card_credit" }), 51, 1_000],
  ["a card", () => ({ cardId }), 40, 40],
  ["a kind of a card", () => ({ cardId, kind: "card_debit" }), 10, 10],
  ["days long past", () => ({ from: ago(61), to: ago(60) }), 51, LINES / 90],
  [
    "credits of days long past",
    () => ({ kind: "card_credit", from: ago(64), to: ago(60) }),
    51,
    1_000,
  ],
  ["lines far below", () => ({ cursor: "200" }), 51, 199],
  ["credits far below", () => ({ kind: "card_credit", cursor: "200" }), 51, 198],
];

test.each(FILTERS)(
  "a statement filtered by %s is read by index",
  async (_what, filter, ...[rows, counted]) => {
    const page = await measure((ctx) => listFloatEntries(ctx, { ...filter(), limit: 51 }));
    expect(page.result.rows).toHaveLength(rows);
    expect(page.buffers).toBeLessThan(PAGE_BUFFERS_MAX);
    const count = await measure((ctx) => countFloatEntries(ctx, filter()));
    expect(Math.abs(count.result.rows - counted)).toBeLessThanOrEqual(counted / 50);
    expect(count.buffers).toBeLessThan(COUNT_BUFFERS_MAX);
  },
);

test.each(["float", "card"] as const)(
  "the balance of a %s at any moment, and the lines and totals of a month, are read by index",
  async (of) => {
    while (await rollUp(database())) {
      // There is more.
    }
    const query = { cardId: of === "card" ? cardId : null, limit: 50 };
    const at = await measure((ctx) => getStatement(ctx, { ...query, period: { at: ago(45) } }));
    expect(at.result.statement.closing).toBeGreaterThan(0);
    expect(at.buffers).toBeLessThan(BALANCE_BUFFERS_MAX);
    const days = { from: toLocalDay(ago(75), "UTC"), to: toLocalDay(ago(45), "UTC") };
    const month = await measure((ctx) => getStatement(ctx, { ...query, period: days }));
    const lines = of === "card" ? SCALE.transactionsPerCard : LINES;
    expect(month.result.statement.lines).toBeGreaterThan(lines / 4);
    expect(month.buffers).toBeLessThan(PAGE_BUFFERS_MAX + SUMS_BUFFERS_MAX);
  },
);
