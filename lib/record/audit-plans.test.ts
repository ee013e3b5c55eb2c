import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listAudit } from "#lib/record/audit.ts";
import type { AuditFilter } from "#lib/record/audit.ts";
import { firstIdAt, newId } from "#lib/base/ids.ts";
import { closeDatabase, configureDatabase, database } from "#db/client.ts";
import { testDatabase } from "#test/database/database.ts";
import { countBuffers, switchOffAutovacuum } from "#test/database/table-figures.ts";
import { createScaledBooks } from "#test/database/scaled-books.ts";
import { newIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";

const DAY_MS = 86_400_000;

/** What an account with many cards writes in a few days, above what is looked for. */
const CHANGES = 100_000;

/** A filtered page reads its rows and the way to them. Without its index it reads all of the changes. */
const BUFFERS_MAX = 300;

let owner: postgres.Sql;
let integratorId: string;
let personId: string;

beforeAll(async () => {
  const { url, ownerUrl } = testDatabase();
  owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await switchOffAutovacuum(owner);
  integratorId = (await newIntegrator()).id;
  personId = (await newStaff(integratorId, "owner")).id;
  await insert("card.frozen", { by: personId, days: 40, rows: 3 });
  await insert("freezeCard.refused", { by: personId, days: 41, rows: 3 });
  await insert("card.unfrozen", { by: newId(), days: 30, rows: CHANGES });
  // One connection, so that its counters can be read.
  await closeDatabase();
  configureDatabase(url, { max: 1 });
});

afterAll(() => owner.end());

/** Entries some days ago, with the ids of that time. */
async function insert(
  action: string,
  { by, days, rows }: { by: string; days: number; rows: number },
): Promise<void> {
  const type = action === "card.unfrozen" ? "api_key" : "staff";
  await owner`
    insert into audit_log (integrator_id, id, actor, action, target_type, target_id, request_id, created_at)
    select ${integratorId}, overlay(${firstIdAt(Date.now() - days * DAY_MS)}::text placing lpad(to_hex(n), 12, '0') from 25)::uuid,
      jsonb_build_object('type', ${type}::text, 'id', ${by}::text, 'name', 'Ada'), ${action}, 'card', gen_random_uuid(),
      'r', now() - make_interval(days => ${days})
    from generate_series(1, ${rows}) n`;
}

test.each<[string, () => Partial<AuditFilter>, number]>([
  ["an action", () => ({ action: "card.frozen" }), 3],
  ["refused attempts", () => ({ action: "refused" }), 3],
  ["one kind of refused attempt", () => ({ action: "freezeCard.refused" }), 3],
  ["a person", () => ({ actorId: personId }), 6],
  ["the days before", () => ({ to: new Date(Date.now() - 35 * DAY_MS) }), 6],
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

test("the moves of one card are found by its own index, also before there are statistics", async () => {
  const { url: appUrl, ownerUrl } = testDatabase();
  const scale = { cards: 2_000, transactionsPerCard: 10 };
  const books = await createScaledBooks({ appUrl, ownerUrl }, scale, { unguarded: true });
  const [card] = await owner<{ id: string }[]>`
    select id from cards where integrator_id = ${books.integratorId} limit 1`;
  const ref = { type: "system", id: null, name: "Test" } as const;
  const ctx = { db: database(), actor: { integratorId: books.integratorId, ref } };
  const before = await countBuffers(owner, ["transactions"]);
  const page = await listAudit(ctx, { targetId: card?.id ?? "", limit: 50 });
  expect(page.rows).toHaveLength(scale.transactionsPerCard);
  expect((await countBuffers(owner, ["transactions"])) - before).toBeLessThan(BUFFERS_MAX);
});
