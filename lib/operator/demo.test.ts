import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase, withDatabase } from "#db/testing/database.ts";
import { openDatabase } from "#db/client.ts";
import { createDemo, useDemo } from "#lib/operator/demo.ts";

test("the demo contains everything that can happen to a card, is made once, and leaves the first card ready to use", async () => {
  const { db } = testDatabase();
  const demo = await createDemo(db);
  if (!demo) {
    throw new Error("No demo was made in an empty sandbox.");
  }
  await useDemo(db, demo);
  expect(await createDemo(db)).toBeUndefined();
  const counted = await db.execute<{ kind: string; count: number }>(sql`
    select coalesce(decline_reason, type || ' ' || status) as kind, count(*)::int as count
    from transactions where integrator_id = ${demo.integratorId} group by 1`);
  const kinds = new Map(counted.map(({ kind, count }) => [kind, count]));
  for (const kind of [
    "credit settled",
    "debit settled",
    "deduct authorized",
    "deduct settled",
    "deduct reversed",
    "deduct-reversal settled",
    "card_frozen",
    "card_closed",
    "insufficient_funds",
  ]) {
    expect({ kind, count: kinds.get(kind) }).toEqual({ kind, count: expect.any(Number) });
  }
  const [card] = await db.execute<{ status: string; available: number }>(sql`
    select status, (balance - held)::float8 as available from ledger_accounts
    where integrator_id = ${demo.integratorId} and id = ${demo.cardId}`);
  expect(card?.status).toBe("active");
  expect(card?.available).toBeGreaterThan(0);
});

test("two servers that start at once on an empty sandbox create one demo, and neither fails", async () => {
  await withDatabase("migrated", async ({ url }) => {
    const servers = [openDatabase(url, { max: 2 }), openDatabase(url, { max: 2 })];
    const made = await Promise.all(servers.map(({ db }) => createDemo(db)));
    expect(made.filter((demo) => demo !== undefined)).toHaveLength(1);
    await Promise.all(servers.map((server) => server.close()));
  });
});
