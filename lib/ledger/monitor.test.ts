import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { move, newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { checkBooks } from "#lib/ledger/monitor.ts";
import { integrators } from "#db/schema/integrators.ts";
import { booksCheckpoints } from "#db/schema/ledger.ts";

/** Breaks the books in a way no client can: as the owner's role, with the triggers disabled. */
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

/** The advisory lock that a running check holds. */
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

test("a balance that its entries do not explain suspends fund movements for that integrator only, until it is fixed", async () => {
  const { db } = testDatabase();
  const [broken, healthy] = [await newIntegrator(1_000), await newIntegrator(1_000)];
  const [card, other] = [await newCard(broken, 100), await newCard(healthy)];
  expect(await checkBooks(db, "recent")).toEqual([]);
  await move(broken, { kind: "credit", cardId: card.id, amount: 1 });
  await tamper(card.id, 1);
  tampered = card.id;

  const discrepancies = await checkBooks(db, "recent");
  expect(discrepancies).toContainEqual({
    integratorId: broken.id,
    rule: "an account's balance equals that of its last entry",
    about: card.id,
  });
  expect(await move(broken, { kind: "credit", cardId: card.id, amount: 1 })).toMatchObject({
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
    .where(eq(integrators.id, broken.id));
  expect(row?.at).toBeNull();
  expect(await move(broken, { kind: "credit", cardId: card.id, amount: 1 })).toMatchObject({
    done: {},
  });
});

test("one check runs at a time: a second one that starts meanwhile checks nothing", async () => {
  const { db } = testDatabase();
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const meanwhile = await owner.begin(async (held) => {
    // Locks the table that a check reads first, so that the check keeps running.
    await held`lock table transfers in access exclusive mode`;
    const running = checkBooks(db, "recent");
    while ((await findAdvisoryLocks(held)).length === 0) {
      await sleep(5);
    }
    return {
      running,
      others: await Promise.all([checkBooks(db, "recent"), checkBooks(db, "full")]),
    };
  });
  await owner.end();
  expect(meanwhile.others).toEqual([undefined, undefined]);
  expect(await meanwhile.running).toEqual([]);
});

test("a full check runs once a day, whichever process ran the last one", async () => {
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

test("a check does not clear a discrepancy that was found while it was running", async () => {
  const { db } = testDatabase();
  const { id } = await newIntegrator(1_000);
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const mark = (at: SQL | null) =>
    db.update(integrators).set({ booksUnbalancedAt: at }).where(eq(integrators.id, id));
  try {
    const running = await owner.begin(async (held) => {
      await held`lock table transfers in access exclusive mode`;
      const check = checkBooks(db, "full");
      while ((await findAdvisoryLocks(held)).length === 0) {
        await sleep(5);
      }
      // As a check that started later would do.
      await mark(sql`clock_timestamp()`);
      return { check };
    });
    expect(await running.check).toEqual([]);
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
