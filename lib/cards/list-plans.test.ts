import { sql } from "drizzle-orm";
import postgres from "postgres";
import { beforeAll, expect, test } from "vitest";
import { createScaledBooks, vacuumAnalyze } from "#test/database/scaled-books.ts";
import { testDatabase } from "#test/database/database.ts";
import { dropSearchIndexes } from "#test/database/table-figures.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { findCards, listCards } from "#lib/cards/card-reads.ts";
import { listCardholderPage } from "#lib/cards/cardholder-reads.ts";
import { findCardsOfWords } from "#lib/transactions/searched-cards.ts";
import { listTransactions } from "#lib/transactions/transactions.ts";
import { readFor } from "#db/reads.ts";
import { watchStatements } from "#db/statements.ts";

/** Lists of cards, cardholders, and transactions read about as many rows as they show, on an account that has thousands of each. */

const CARDS = 6_000;
const LIMIT = 15;
/** A page, its join, and the rows that the planner may pass over where most of them match. */
const ROWS_MAX = 10 * LIMIT;

const LONG_AGO = new Date("2020-01-01T00:00:00Z");
const NEXT_YEAR = new Date(Date.now() + 365 * 86_400_000);

let integratorId: string;
let cardholderId: string;

beforeAll(async () => {
  const { url: appUrl, ownerUrl } = testDatabase();
  const target = { appUrl, ownerUrl };
  const scale = { cards: CARDS, transactionsPerCard: 1 };
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  const restore = await dropSearchIndexes(owner);
  ({ integratorId } = await createScaledBooks(target, scale, { unguarded: true }));
  // Before any update: an index that is built after one serves nobody until all older transactions have ended.
  await restore();
  await owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await tx`
      update cards set metadata = jsonb_build_object('plan', 'gold', 'order', right(id::text, 8))
      where integrator_id = ${integratorId}`;
    await tx`
      update cards set metadata = metadata || '{"order": "rare"}' where (integrator_id, id) in (
        select integrator_id, id from cards where integrator_id = ${integratorId} order by id limit 1)`;
    await tx`
      update transactions set narrative = 'Quinoa' where (integrator_id, id) in (
        select integrator_id, id from transactions where integrator_id = ${integratorId} order by id limit 1)`;
    await tx`
      update cardholders set archived = true, last_name = 'Xylander' where (integrator_id, id) in (
        select integrator_id, id from cardholders where integrator_id = ${integratorId} order by id limit 1)`;
  });
  const [first] = await owner<{ id: string }[]>`
    select cardholder_id as id from cards where integrator_id = ${integratorId} order by id limit 1`;
  cardholderId = first?.id ?? "";
  await owner.end();
  await vacuumAnalyze(target);
}, 120_000);

/** What a list finds, and whether it reads few rows, of all tables together. */
async function countRead(
  list: (ctx: ReadContext) => Promise<{ rows: unknown[] }>,
  rowsMax = ROWS_MAX,
) {
  const ref = { type: "system" as const, id: null, name: "Test" };
  return readFor(integratorId, async (db) => {
    const before = await countRows(db);
    const { rows } = await list({ db, actor: { integratorId, ref } });
    const read = (await countRows(db)) - before;
    return { found: rows.length, read: read <= rowsMax ? "few" : read };
  });
}

/** The rows that this session has read and not yet reported. */
async function countRows(db: ReadContext["db"]): Promise<number> {
  const [row] = await db.execute<{ read: number }>(sql`
    select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 as read from pg_stat_xact_user_tables`);
  return row?.read ?? Number.NaN;
}

const cards = (filter: object) => (ctx: ReadContext) => listCards(ctx, { limit: LIMIT, ...filter });
const transactions = (filter: object) => (ctx: ReadContext) =>
  listTransactions(ctx, { limit: LIMIT, ...filter });
const searched = (search: string) => async (ctx: ReadContext) => {
  const searchedCards = await findCardsOfWords((read) => read(ctx), search);
  return listTransactions(ctx, { limit: LIMIT, search, searchedCards });
};
const holders = (filter: object) => (ctx: ReadContext) =>
  listCardholderPage(ctx, { limit: LIMIT, ...filter });

test.each([
  ["cards of two statuses, one of them rare", LIMIT, cards({ statuses: ["frozen", "active"] })],
  ["cards of two statuses, one of them unused", LIMIT, cards({ statuses: ["frozen", "closed"] })],
  ["cards by an entry that one has", 1, cards({ metadata: { order: "rare" } })],
  ["cards by an entry that none has", 0, cards({ metadata: { order: "none" } })],
  ["cards by an entry that all have", LIMIT, cards({ metadata: { plan: "gold" } })],
  ["cards by a rare and a common entry", 1, cards({ metadata: { plan: "gold", order: "rare" } })],
  ["cards by an email of nobody", 0, cards({ search: "nobody@example.com" })],
  ["cards by a name of nobody", 0, cards({ search: "qqqqqq" })],
  ["cards by key=value", 1, cards({ search: "order=rare" })],
  ["cardholders", LIMIT, holders({})],
  ["cardholders who are not archived", LIMIT, holders({ archived: false })],
  ["archived cardholders", 1, holders({ archived: true })],
  ["cardholders by a rare name", 1, holders({ search: "xyland" })],
  ["cardholders by an unknown name", 0, holders({ search: "qqqqqq" })],
  ["cardholders of a period, oldest first", LIMIT, holders({ order: "oldest", from: LONG_AGO })],
  ["cards of a period", LIMIT, cards({ from: LONG_AGO, to: NEXT_YEAR })],
  [
    "cards of a period of two statuses",
    LIMIT,
    cards({ statuses: ["frozen", "active"], from: LONG_AGO }),
  ],
  ["cards of a period before all", 0, cards({ to: LONG_AGO })],
  ["transactions of a cardholder", 1, (ctx: ReadContext) => transactions({ cardholderId })(ctx)],
  ["transactions by a word of many", LIMIT, transactions({ search: "allowance" })],
  ["transactions by a word of one", 1, transactions({ search: "quinoa" })],
  ["transactions by a word of none", 0, transactions({ search: "qqqqqq" })],
  ["cardholders by an unknown email", 0, holders({ email: "nobody@example.com" })],
])("%s: as many rows are read as are shown, give or take a page", async (_name, found, list) => {
  // Several times, as statements are prepared.
  for (let times = 0; times < 8; times += 1) {
    expect(await countRead(list)).toEqual({ found, read: "few" });
  }
});

/** The cards that a word may mean, of which a search reads at most as many as there are of a common name. */
const CARDS_OF_WORD = CARDS / 10 + 1;

test.each([
  ["words of one", 1, searched("noa qui")],
  ["the last four of a card", 2, searched("7919")],
  ["a name of many", LIMIT, searched("amara")],
  ["a name of many and a word of none", 0, searched("amara qqqqqq")],
  ["a name and an amount of none", 0, searched("amara 99999999.99")],
  ["a word of one and the currency", 1, searched("quinoa usd")],
  ["an amount of none and the currency", 0, searched("99999999.99 USD")],
  ["the currency", LIMIT, searched("usd")],
])(
  "transactions by %s: the cards of that name are read, and a page",
  async (_name, found, list) => {
    expect(await countRead(list, CARDS_OF_WORD + ROWS_MAX)).toEqual({ found, read: "few" });
  },
);

/** Nobody's id. */
const NOBODY = "ffffffff-ffff-7fff-bfff-ffffffffffff";

/** The statement with which a list reads cards. */
async function readStatement(list: (ctx: ReadContext) => Promise<{ rows: unknown[] }>) {
  const sent: string[] = [];
  watchStatements((text) => void sent.push(text));
  await countRead(list);
  watchStatements(undefined);
  return sent.find((text) => /from "(?:cards|ledger_accounts)"/u.test(text)) ?? "";
}

/** The plan that is kept for any account, made in a transaction of the owner of the tables. */
async function explain(statement: string, prepare: (tx: postgres.TransactionSql) => Promise<void>) {
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const plan = await owner.begin(async (tx) => {
    await prepare(tx);
    return tx.unsafe(`explain (generic_plan) ${statement}`).simple();
  });
  await owner.end();
  return plan.map((row) => String(row["QUERY PLAN"])).join("\n");
}

/** How many rows the plan expects of a node. @throws Error when it has no such node. */
function readRows(plan: string, node: string): number {
  const line = plan.split("\n").find((each) => each.includes(node)) ?? "";
  const { rows } = /rows=(?<rows>\d+)/u.exec(line)?.groups ?? {};
  if (rows === undefined) {
    throw new Error(`The plan has no node "${node}":\n${plan}`);
  }
  return Number(rows);
}

const ALL = [
  ["all cards", {}],
  ["all cards, oldest first", { order: "oldest" }],
  ["all cards from a cursor on", { cursor: NOBODY }],
] as const;

test.each(ALL)(
  "a list of %s is never read in the order of all cards' ids",
  async (_name, filter) => {
    // The statement reads these instead of the real ones. It can use the index of ids only if that gives it its order:
    // otherwise it sorts, whatever that costs.
    const plan = await explain(await readStatement(cards(filter)), async (tx) => {
      await tx`create temporary table cards (like public.cards) on commit drop`;
      await tx`create temporary table ledger_accounts (like public.ledger_accounts) on commit drop`;
      await tx`create index ids_of_all on pg_temp.cards (id)`;
      await tx`set local enable_sort = off`;
    });
    expect(plan).toContain("Sort Key");
  },
);

test.each([
  ...ALL.map(([name, filter]) => [name, "cards", cards(filter)] as const),
  [
    "cards by their ids",
    "cards",
    async ({ db }: ReadContext) => ({ rows: await findCards(db, integratorId, [integratorId]) }),
  ] as const,
  ["cards of one holder", "cards", cards({ cardholderId: NOBODY })] as const,
  ["cards by their last four", "cards", cards({ search: "0000" })] as const,
  ["cards of one status", "ledger_accounts", cards({ statuses: ["frozen"] })] as const,
  [
    "cards of one status, oldest first, from a cursor on",
    "ledger_accounts",
    cards({ statuses: ["frozen"], order: "oldest", cursor: NOBODY }),
  ] as const,
])(
  "%s: the other half of each is looked up, however costly that seems",
  async (_name, half, list) => {
    const plan = await explain(await readStatement(list), async (tx) => {
      await tx`set local enable_nestloop = off`;
    });
    expect(plan).toContain(`(id = ${half}.id)`);
    // One for each. If it expected fewer rows, a limit would save nothing, and it might sort all of them.
    expect(readRows(plan, "Nested Loop ")).toBe(readRows(plan, ` on ${half} `));
  },
);
