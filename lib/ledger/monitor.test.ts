import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { eq, sql } from "drizzle-orm";
import { afterEach, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { waitForHorizon } from "#test/database/feed-horizon.ts";
import { move, newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import { listTold } from "#test/scene/told.ts";
import { checkBooks } from "#lib/ledger/monitor.ts";
import { TELL_OF_BOOKS } from "#lib/messages/tell-of-suspension.ts";
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

/** The connections that hold the advisory lock of a running check. */
function findCheckers(tx: postgres.TransactionSql) {
  return tx<{ pid: number }[]>`
    select l.pid from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'advisory' and l.granted`;
}

/** Does something while a check waits for a table that it reads, and ends once the check has. */
async function during<T>(
  extent: "recent" | "full",
  table: string,
  meanwhile: (holder: postgres.TransactionSql) => Promise<T>,
): Promise<{ check: PromiseSettledResult<unknown>; value: T }> {
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    const { checks, value } = await owner.begin(async (holder) => {
      await holder`lock table ${holder(table)} in access exclusive mode`;
      const running = Promise.allSettled([checkBooks(testDatabase().db, extent)]);
      while ((await findCheckers(holder)).length === 0) {
        await sleep(5);
      }
      return { checks: running, value: await meanwhile(holder) };
    });
    const [check] = await checks;
    return { check, value };
  } finally {
    await owner.end();
  }
}

async function readCheckpoint() {
  const [row] = await testDatabase().db.select().from(booksCheckpoints);
  if (!row) {
    throw new Error("The books have not been checked.");
  }
  return row;
}

async function findSuspension(id: string): Promise<Date | null | undefined> {
  const [row] = await testDatabase()
    .db.select({ at: integrators.booksUnbalancedAt })
    .from(integrators)
    .where(eq(integrators.id, id));
  return row?.at;
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
  await newStaff(broken.id, "admin");
  expect(await checkBooks(db, "recent", TELL_OF_BOOKS)).toEqual([]);
  await move(broken, { kind: "credit", cardId: card.id, amount: 1 });
  await tamper(card.id, 1);
  tampered = card.id;

  const discrepancies = await checkBooks(db, "recent", TELL_OF_BOOKS);
  expect(discrepancies).toContainEqual({
    integratorId: broken.id,
    rule: "an account's balance equals that of its last entry",
    about: card.id,
  });
  expect(await move(broken, { kind: "credit", cardId: card.id, amount: 1 })).toMatchObject({
    refusal: { code: "books_unbalanced" },
  });
  expect(await checkBooks(db, "full", TELL_OF_BOOKS)).not.toEqual([]);
  expect(await listTold(broken.id)).toHaveLength(1);
  expect(await move(healthy, { kind: "credit", cardId: other.id, amount: 1 })).toMatchObject({
    done: {},
  });

  await tamper(card.id, -1);
  tampered = undefined;
  expect(await checkBooks(db, "full", TELL_OF_BOOKS)).toEqual([]);
  expect(await findSuspension(broken.id)).toBeNull();
  const told = await listTold(broken.id);
  expect(told.map(({ kind, role }) => `${kind} to ${role}`)).toEqual([
    "spending.stopped to owner",
    "spending.resumed to owner",
  ]);
  expect(await listTold(healthy.id)).toEqual([]);
  expect(await move(broken, { kind: "credit", cardId: card.id, amount: 1 })).toMatchObject({
    done: {},
  });
});

test.each(["recent", "full"] as const)(
  "one check of an extent runs at a time: a second one that starts meanwhile checks nothing (%s)",
  async (extent) => {
    const { db } = testDatabase();
    const { check, value } = await during(extent, "transfers", () =>
      Promise.all([checkBooks(db, extent), checkBooks(db, extent)]),
    );
    expect(value).toEqual([undefined, undefined]);
    expect(check).toEqual({ status: "fulfilled", value: [] });
  },
);

test("the check of each minute goes on while a full one is under way, and what it finds then stays", async () => {
  const { db } = testDatabase();
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator, 100);
  await checkBooks(db, "recent");
  await checkBooks(db, "full");
  const before = await readCheckpoint();
  // The checkpoint is that of the horizon, which has to move.
  await waitForHorizon();
  // The last table that a full check reads, which no other check does: most of the full one is over.
  const { check, value } = await during("full", "card_state_changes", async () => {
    const nothing = await checkBooks(db, "recent");
    await move(integrator, { kind: "credit", cardId: card.id, amount: 1 });
    await tamper(card.id, 1);
    const found = await checkBooks(db, "recent");
    await tamper(card.id, -1);
    return { nothing, found, meanwhile: await readCheckpoint() };
  });
  expect(value.nothing).toEqual([]);
  expect(value.found).toMatchObject([{ integratorId: integrator.id, about: card.id }]);
  expect(BigInt(value.meanwhile.xid)).toBeGreaterThan(BigInt(before.xid));
  expect(value.meanwhile.fullCheckedAt).toEqual(before.fullCheckedAt);

  expect(check).toEqual({ status: "fulfilled", value: [] });
  const after = await readCheckpoint();
  expect(after).toEqual({ ...value.meanwhile, fullCheckedAt: after.fullCheckedAt });
  expect(after.fullCheckedAt).not.toEqual(before.fullCheckedAt);
  expect(await findSuspension(integrator.id)).toBeInstanceOf(Date);
  expect(await checkBooks(db, "full")).toEqual([]);
  expect(await findSuspension(integrator.id)).toBeNull();
});

test("a full check that is killed leaves what the others have done, and is still due", async () => {
  const { db } = testDatabase();
  await checkBooks(db, "recent");
  await db.update(booksCheckpoints).set({ fullCheckedAt: null });
  const { check, value } = await during("full", "card_state_changes", async (holder) => {
    const [killed] = await findCheckers(holder);
    await newIntegrator(1_000);
    expect(await checkBooks(db, "recent")).toEqual([]);
    const meanwhile = await readCheckpoint();
    await holder`select pg_terminate_backend(${killed?.pid ?? 0})`;
    return meanwhile;
  });
  expect(check.status).toBe("rejected");
  expect(await readCheckpoint()).toEqual(value);
  expect(await checkBooks(db, "daily")).toEqual([]);
  expect((await readCheckpoint()).fullCheckedAt).toBeInstanceOf(Date);
});

test("a full check runs once a day, whichever process ran the last one", async () => {
  const { db } = testDatabase();
  await db.delete(booksCheckpoints);
  expect(await checkBooks(db, "daily")).toEqual([]);
  expect(await checkBooks(db, "daily")).toBeUndefined();
  await db.update(booksCheckpoints).set({
    fullCheckedAt: sql`${booksCheckpoints.fullCheckedAt} - interval '25 hours'`,
  });
  await checkBooks(db, "recent");
  const both = await Promise.all([checkBooks(db, "daily"), checkBooks(db, "daily")]);
  expect(both).toContainEqual([]);
  expect(both).toContain(undefined);
  expect(await checkBooks(db, "daily")).toBeUndefined();
});
