import { sql } from "drizzle-orm";
import { createScaledBooks } from "#test/database/scaled-books.ts";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { freezeCard, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { listCards } from "#lib/cards/card-reads.ts";
import { countListedCards } from "#lib/overview/card-count.ts";
import { readFor } from "#db/reads.ts";

test("all cards and those in one status are counted exactly, others up to 1,000", async () => {
  const { url: appUrl, ownerUrl } = testDatabase();
  const scale = { cards: 1_200, transactionsPerCard: 1 };
  const made = await createScaledBooks({ appUrl, ownerUrl }, scale, { unguarded: true });
  const other = await newIntegrator();
  const integrator = { ...other, actor: { ...other.actor, integratorId: made.integratorId } };
  const ctx = reading(integrator);
  const { rows } = await listCards(ctx, { limit: 1, statuses: ["active"] });
  expect(await countListedCards(ctx, { limit: 1 })).toEqual({ rows: 1_200, isExact: true });
  const [id = "", cursor = id] = rows.map((card) => card.id);
  const active = await countListedCards(ctx, { limit: 1, statuses: ["active"] });
  expect(active).toMatchObject({ isExact: true });
  expect(active.rows).toBeGreaterThan(1_000);
  await write(integrator, (writing) => freezeCard(writing, id, { reason: null, comment: null }));
  expect(await countListedCards(ctx, { limit: 1, statuses: ["active"] })).toEqual({
    rows: active.rows - 1,
    isExact: true,
  });
  expect(await countListedCards(ctx, { limit: 1, cursor })).toEqual({
    rows: 1_000,
    isExact: false,
  });
});

test("a count of all cards or of a status reads none of them", async () => {
  const integrator = await newIntegrator();
  await newCard(integrator);
  const { integratorId } = integrator.actor;
  const read = await readFor(integratorId, async (db) => {
    const ctx = { ...reading(integrator), db };
    await countListedCards(ctx, { limit: 1 });
    await countListedCards(ctx, { limit: 1, statuses: ["active"] });
    return countCardRows(ctx);
  });
  expect(read).toBe(0);
});

/** How many rows and index entries of cards this transaction has read. */
async function countCardRows({ db }: ReadContext): Promise<number> {
  const [row] = await db.execute<{ read: number }>(sql`
    select sum(t.seq_tup_read + i.idx_tup_read)::float8 as read
    from pg_stat_xact_user_tables t
    cross join lateral (
      select coalesce(sum(pg_stat_get_xact_tuples_returned(indexrelid)), 0) as idx_tup_read
      from pg_index where indrelid = t.relid
    ) i
    where t.relname in ('cards', 'ledger_accounts')`);
  return row?.read ?? Number.NaN;
}

test("an account's count has none of another account's cards", async () => {
  const integrator = await newIntegrator();
  await newCard(integrator);
  await newCard(await newIntegrator());
  expect(await countListedCards(reading(integrator), { limit: 1 })).toEqual({
    rows: 1,
    isExact: true,
  });
});
