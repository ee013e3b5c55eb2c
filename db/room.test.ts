import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { freezeCard, newCard, newIntegrator, write } from "#test/scene/fixtures.ts";
import { testDatabase } from "#test/database/database.ts";
import type { Tx } from "./transaction.ts";
import { moveFunds } from "#lib/funds/funds.ts";
import { performOne } from "#lib/group-commit/batch.ts";

/** More rows than fit on one page of either table. */
const CARDS = 80;

test("a fund movement and a freeze update their rows in place, even on full pages", async () => {
  const integrator = await newIntegrator(1_000);
  const first = await newCard(integrator);
  for (let count = 1; count < CARDS; count += 1) {
    await newCard(integrator);
  }
  const changes = await write(integrator, async (ctx) => {
    const before = [
      await countChanges(ctx.tx, "ledger_accounts"),
      await countChanges(ctx.tx, "cards"),
    ];
    const { actor, request } = ctx;
    await performOne(ctx.tx, moveFunds, {
      kind: "credit",
      cardId: first.id,
      amount: 10,
      actor,
      request,
      idempotencyKey: null,
    });
    const accounts = await countChanges(ctx.tx, "ledger_accounts");
    await freezeCard(ctx, first.id, { reason: "other", comment: "A comment of some length" });
    const cards = await countChanges(ctx.tx, "cards");
    return [accounts, cards].map((after, index) => ({
      all: after.all - (before[index]?.all ?? 0),
      inPlace: after.inPlace - (before[index]?.inPlace ?? 0),
    }));
  });
  // The accounts of the card and the float; then the card.
  expect(changes).toEqual([
    { all: 2, inPlace: 2 },
    { all: 1, inPlace: 1 },
  ]);
});

/** How many rows of a table this connection has changed and not reported yet. */
async function countChanges(tx: Tx, table: string): Promise<{ all: number; inPlace: number }> {
  const [row] = await tx.execute<{ all: number; inPlace: number }>(sql`
    select pg_stat_get_xact_tuples_updated(${table}::regclass)::int as all,
      pg_stat_get_xact_tuples_hot_updated(${table}::regclass)::int as "inPlace"`);
  return { all: row?.all ?? 0, inPlace: row?.inPlace ?? 0 };
}

test("no search reads its account's whole list, or an unsorted list of unbounded length", async () => {
  const rows = await testDatabase().db.execute<{ name: string; begins: string; options: string }>(
    sql`
      select c.relname as name, pg_get_indexdef(c.oid, 1, true) as begins, array_to_string(c.reloptions, ' ') as options
      from pg_class c join pg_am a on a.oid = c.relam
      where a.amname = 'gin' and c.relnamespace = 'public'::regnamespace`,
  );
  expect(rows.length).toBeGreaterThan(0);
  for (const { begins, options } of rows) {
    expect(begins).not.toBe("integrator_id");
    expect(options).toMatch(/fastupdate=(?:off|false)|gin_pending_list_limit=/u);
  }
});
