import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toAuditSearch } from "#lib/audit/audit-titles.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { listAudit } from "#lib/record/audit.ts";
import type { AuditFilter } from "#lib/record/audit.ts";
import { firstIdAt, newId } from "#lib/base/ids.ts";
import { closeDatabase, configureDatabase, database } from "#db/client.ts";
import { begin } from "#db/transaction.ts";
import { testDatabase } from "#test/database/database.ts";
import { countBuffers, switchOffAutovacuum } from "#test/database/table-figures.ts";
import { createScaledBooks } from "#test/database/scaled-books.ts";
import { newCard, newIntegrator, newScopedKey } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";

const DAY_MS = 86_400_000;

/** What an account with many cards writes in a few days, above what is looked for. */
const CHANGES = 100_000;

/** A filtered page reads its rows and the way to them. Without its index it reads all of the changes. */
const BUFFERS_MAX = 300;

let owner: postgres.Sql;
let integratorId: string;
let personId: string;
let card: Card;
let scaledId: string;

beforeAll(async () => {
  const { url, ownerUrl } = testDatabase();
  owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await switchOffAutovacuum(owner);
  const integrator = await newIntegrator();
  integratorId = integrator.id;
  personId = (await newStaff(integratorId, "owner")).id;
  await insert("card.frozen", { by: personId, days: 40, rows: 3 });
  await insert("freezeCard.refused", { by: personId, days: 41, rows: 3 });
  await newScopedKey(integratorId, ["cards:write"]);
  card = await newCard(integrator, 0, { firstName: "Zenobia", lastName: "Quill" });
  await insert("card.closed", { by: newId(), on: card.id, days: 42, rows: 2 });
  await insert("card.unfrozen", { by: newId(), days: 30, rows: CHANGES });
  // One connection, so that its counters can be read.
  await closeDatabase();
  configureDatabase(url, { max: 1 });
});

afterAll(() => owner.end());

/** Entries some days ago, with the ids of that time. */
async function insert(
  action: string,
  { by, on, days, rows }: { by: string; on?: string; days: number; rows: number },
): Promise<void> {
  const type = action === "card.unfrozen" ? "api_key" : "staff";
  await owner`
    insert into audit_log (integrator_id, id, actor, action, target_type, target_id, request_id, created_at)
    select ${integratorId}, overlay(${firstIdAt(Date.now() - days * DAY_MS)}::text placing lpad(to_hex(n), 12, '0') from 25)::uuid,
      jsonb_build_object('type', ${type}::text, 'id', ${by}::text, 'name', 'Ada'), ${action}, 'card', coalesce(${on ?? null}::uuid, gen_random_uuid()),
      'r', now() - make_interval(days => ${days})
    from generate_series(1, ${rows}) n`;
}

test.each<[string, () => Partial<AuditFilter>, number]>([
  ["an action", () => ({ action: "card.frozen" }), 3],
  ["refused attempts", () => ({ action: "refused" }), 3],
  ["one kind of refused attempt", () => ({ action: "freezeCard.refused" }), 3],
  ["a person", () => ({ actorId: personId }), 6],
  ["the days before", () => ({ to: new Date(Date.now() - 35 * DAY_MS) }), 8],
  ["nothing", () => ({}), 50],
])(
  "filtering by %s reads few buffers, however much happened since",
  async (_what, filter, rows) => {
    const actor = { integratorId, ref: { type: "system", id: null, name: "Test" } } as const;
    const ctx = { db: database(), actor };
    const before = await countBuffers(owner, ["audit_log"]);
    const page = await listAudit(ctx, { ...filter(), limit: 50 });
    expect(page.rows).toHaveLength(rows);
    expect((await countBuffers(owner, ["audit_log"])) - before).toBeLessThan(BUFFERS_MAX);
  },
);

/** The tables with entries. How cards are found by their names is tested in `lib/cards/list-plans.test.ts`. */
const SEARCHED = ["audit_log", "transactions"];

/** What one page of a search looks at, if it finds hardly anything among the newest entries: 20,000 rows. */
const SEARCHED_BUFFERS_MAX = 1_500;

test.each<[string, () => string, { rows: number; buffersMax?: number; isMore?: boolean }]>([
  ["a rare name", () => "zenobia", { rows: 4 }],
  ["a rare name and a common action", () => "unfrozen zenobia", { rows: 0 }],
  ["a rare name and another action", () => "quill closed", { rows: 2 }],
  ["the last four digits of a card", () => card.last4, { rows: 3 }],
  ["a rare action", () => "frozen", { rows: 3 }],
  ["refused attempts", () => "refused", { rows: 3 }],
  ["a person", () => "kim", { rows: 6 }],
  ["a person and an action", () => "frozen kim", { rows: 3 }],
  ["a common action", () => "unfrozen", { rows: 50, isMore: true }],
  ["an id", () => card.id, { rows: 3 }],
  ["a word of none", () => "qqqqqq", { rows: 0 }],
  ["a common action and a word of none", () => "qqqqqq unfrozen", { rows: 0 }],
  [
    "an API key that has done nothing",
    () => "scoped",
    { rows: 0, isMore: true, buffersMax: SEARCHED_BUFFERS_MAX },
  ],
])(
  "searching for %s reads few buffers, however much happened since",
  async (_what, text, { rows, isMore = false, buffersMax = BUFFERS_MAX }) => {
    const found = await countSearch(integratorId, text());
    expect(found).toMatchObject({ rows, isMore });
    expect(found.buffers).toBeLessThan(buffersMax);
  },
);

/** What a search finds, and how many buffers it reads. */
async function countSearch(ofIntegrator: string, text: string) {
  const actor = {
    integratorId: ofIntegrator,
    ref: { type: "system", id: null, name: "Test" },
  } as const;
  const search = toAuditSearch(text);
  const before = await countBuffers(owner, SEARCHED);
  const { rows, nextCursor } = await begin(database(), (db) =>
    listAudit({ db, actor }, { search, limit: 50 }),
  );
  const buffers = (await countBuffers(owner, SEARCHED)) - before;
  return { rows: rows.length, isMore: nextCursor !== null, buffers };
}

test("the moves of one card are found by its own index, also before there are statistics", async () => {
  const { url: appUrl, ownerUrl } = testDatabase();
  const scale = { cards: 2_000, transactionsPerCard: 10 };
  const books = await createScaledBooks({ appUrl, ownerUrl }, scale, { unguarded: true });
  scaledId = books.integratorId;
  const [first] = await owner<{ id: string }[]>`
    select id from cards where integrator_id = ${books.integratorId} limit 1`;
  const ref = { type: "system", id: null, name: "Test" } as const;
  const ctx = { db: database(), actor: { integratorId: books.integratorId, ref } };
  const before = await countBuffers(owner, ["transactions"]);
  const page = await listAudit(ctx, { targetId: first?.id ?? "", limit: 50 });
  expect(page.rows).toHaveLength(scale.transactionsPerCard);
  expect((await countBuffers(owner, ["transactions"])) - before).toBeLessThan(BUFFERS_MAX);
});

/** A search of a name reads the cards of that name, and as many of their transactions as it may look at. */
const NAME_BUFFERS_MAX = 10_000;

test.each([
  ["an action", "credited", { rows: 50, buffersMax: SEARCHED_BUFFERS_MAX }],
  ["the last four digits of a card", "7919", { rows: 10, buffersMax: BUFFERS_MAX }],
  ["the last four digits and an action", "credited 7919", { rows: 8, buffersMax: BUFFERS_MAX }],
  ["a name of many", "amara", { rows: 50, buffersMax: NAME_BUFFERS_MAX }],
  ["a name of many and a word of none", "amara qqqqqq", { rows: 0, buffersMax: BUFFERS_MAX }],
])("searching the moves for %s reads few buffers", async (_what, text, { rows, buffersMax }) => {
  const found = await countSearch(scaledId, text);
  expect(found.rows).toBe(rows);
  expect(found.buffers).toBeLessThan(buffersMax);
});
