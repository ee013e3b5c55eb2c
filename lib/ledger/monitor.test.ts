import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { testDatabase } from "#db/testing/database.ts";
import { move, newCard, newIntegrator } from "#db/testing/fixtures.ts";
import { checkBooks } from "#lib/ledger/monitor.ts";
import { integrators } from "#db/schema/integrators.ts";
import { booksCheckpoints } from "#db/schema/ledger.ts";

/** Breaks the books as no client can: with the owner's role and the triggers switched off. */
async function tamper(cardId: string, by: number): Promise<void> {
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    await owner.begin(async (tx) => {
      await tx`alter table ledger_accounts disable trigger all`;
      await tx`update ledger_accounts set balance = balance + ${by} where id = ${cardId}`;
      await tx`alter table ledger_accounts enable trigger all`;
    });
  } finally {
    await owner.end();
  }
}

/** What a check that is going on holds. */
function findAdvisoryLocks(tx: postgres.TransactionSql) {
  return tx`select 1 from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and l.granted`;
}

let tampered: string | undefined;

afterEach(async () => {
  if (tampered) {
    await tamper(tampered, -1);
    tampered = undefined;
  }
});

test("a balance that its entries do not explain stops the funds of that integrator alone, until it is mended", async () => {
  const { db } = testDatabase();
  const [sick, healthy] = [await newIntegrator(1_000), await newIntegrator(1_000)];
  const [card, other] = [await newCard(sick, 100), await newCard(healthy)];
  expect(await checkBooks(db, "recent")).toEqual([]);
  await move(sick, { kind: "credit", cardId: card.id, amount: 1 });
  await tamper(card.id, 1);
  tampered = card.id;

  const discrepancies = await checkBooks(db, "recent");
  expect(discrepancies).toContainEqual({
    integratorId: sick.id,
    rule: "an account stands where its last entry left it",
    about: card.id,
  });
  expect(await move(sick, { kind: "credit", cardId: card.id, amount: 1 })).toMatchObject({
    refusal: { code: "books_unbalanced" },
  });
  expect(await move(healthy, { kind: "credit", cardId: other.id, amount: 1 })).toMatchObject({
    done: {},
  });

  await tamper(card.id, -1);
  tampered = undefined;
  expect(await checkBooks(db, "full")).toEqual([]);
  const [row] = await db
    .select({ at: integrators.booksUnbalancedAt })
    .from(integrators)
    .where(eq(integrators.id, sick.id));
  expect(row?.at).toBeNull();
  expect(await move(sick, { kind: "credit", cardId: card.id, amount: 1 })).toMatchObject({
    done: {},
  });
});

test("one check at a time: one that comes while another goes on looks at nothing", async () => {
  const { db } = testDatabase();
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const meanwhile = await owner.begin(async (held) => {
    // The table that a check looks at first is held, so that the check lasts.
    await held`lock table transfers in access exclusive mode`;
    const going = checkBooks(db, "recent");
    while ((await findAdvisoryLocks(held)).length === 0) {
      await sleep(5);
    }
    return { going, others: await Promise.all([checkBooks(db, "recent"), checkBooks(db, "full")]) };
  });
  await owner.end();
  expect(meanwhile.others).toEqual([undefined, undefined]);
  expect(await meanwhile.going).toEqual([]);
});

test("a check in full is made once a day, whichever process was the last to make one", async () => {
  const { db } = testDatabase();
  const read = async () => {
    const [row] = await db.select().from(booksCheckpoints);
    return row?.fullCheckedAt?.getTime() ?? 0;
  };
  await checkBooks(db, "due");
  const first = await read();
  expect(first).toBeGreaterThan(0);
  await checkBooks(db, "due");
  await checkBooks(db, "recent");
  expect(await read()).toBe(first);
  await db.update(booksCheckpoints).set({
    fullCheckedAt: sql`${booksCheckpoints.fullCheckedAt} - interval '25 hours'`,
  });
  await Promise.all([checkBooks(db, "due"), checkBooks(db, "due")]);
  const second = await read();
  expect(second).toBeGreaterThan(first);
  await checkBooks(db, "due");
  expect(await read()).toBe(second);
});

test("what was found while a check went on is not cleared by that check", async () => {
  const { db } = testDatabase();
  const { id } = await newIntegrator(1_000);
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const mark = (at: SQL | null) =>
    db.update(integrators).set({ booksUnbalancedAt: at }).where(eq(integrators.id, id));
  try {
    const going = await owner.begin(async (held) => {
      await held`lock table transfers in access exclusive mode`;
      const check = checkBooks(db, "full");
      while ((await findAdvisoryLocks(held)).length === 0) {
        await sleep(5);
      }
      // As a check that began later would.
      await mark(sql`clock_timestamp()`);
      return { check };
    });
    expect(await going.check).toEqual([]);
    const [row] = await db
      .select({ at: integrators.booksUnbalancedAt })
      .from(integrators)
      .where(eq(integrators.id, id));
    expect(row?.at).not.toBeNull();
  } finally {
    await owner.end();
    await mark(null);
  }
});
