import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { switchOffAutovacuum } from "#test/database/table-figures.ts";
import { newCard, newIntegrator, write } from "#test/scene/fixtures.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import { performAll } from "#lib/group-commit/batch.ts";
import { closeDatabase, configureDatabase } from "#db/client.ts";

/** The database's own checks read as few rows in the thousandth credit as in the first, whenever they were planned. */

/** Two entries and an event a credit, each with the one before it; and what a check of the same row reads again. */
const READ_MAX = 20;
const CREDITS = 500;

let owner: postgres.Sql;

beforeAll(async () => {
  const { url, ownerUrl } = testDatabase();
  owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  await switchOffAutovacuum(owner);
  // One connection, so that its plans are the ones used.
  await closeDatabase();
  configureDatabase(url, { max: 1 });
});

afterAll(() => owner.end());

/** The index entries of entries and events that were read so far. */
async function readCount(): Promise<number> {
  await owner`select pg_stat_clear_snapshot()`;
  const [row] = await owner<{ read: number }[]>`
    select sum(idx_tup_read)::float8 as read from pg_stat_user_indexes where relname in ('entries', 'events')`;
  return row?.read ?? Number.NaN;
}

test("of tables that were never analyzed, planned while they had a few rows", async () => {
  const integrator = await newIntegrator(1_000_000);
  const { id: cardId } = await newCard(integrator);
  const credit = () =>
    write(integrator, async (ctx) => {
      await performAll(ctx.tx, moveFunds, [
        { ...ctx, kind: "credit", amount: 1, cardId, idempotencyKey: null },
      ]);
      await ctx.tx.execute("select pg_stat_force_next_flush()");
    });
  await credit();
  const before = await readCount();
  for (let at = 0; at < CREDITS; at += 1) {
    await credit();
  }
  expect(((await readCount()) - before) / CREDITS).toBeLessThan(READ_MAX);
});
