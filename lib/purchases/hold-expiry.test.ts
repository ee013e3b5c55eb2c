import { sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { advance, DAY_S } from "#test/database/clock.ts";
import { testDatabase } from "#test/database/database.ts";
import { tamper } from "#test/database/tamper.ts";
import { newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { capture, eventsOf, hold, holdId } from "#test/scene/spending.ts";
import { inTransaction } from "#db/transaction.ts";
import { log } from "#lib/base/log.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { performAll } from "#lib/group-commit/batch.ts";
import { authorize } from "#lib/purchases/authorizations.ts";
import { expireHolds } from "#lib/purchases/hold-expiry.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";

test("expired holds are released, in full or what is left of them; others are untouched", async () => {
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator, 500);
  const held = (amount: number, expiresInS: number) =>
    holdId(integrator, { cardId: card.id, amount, expiresInS });
  const [expired, live] = [await held(100, 0), await held(50, 60)];
  const part = await held(80, 0.3);
  await capture(integrator, part, { amount: 30 });
  await expect.poll(() => expireHolds(testDatabase().db).then(() => status(part))).toBe(0);
  async function status(id: string): Promise<number> {
    const row = await getTransaction(reading(integrator), id);
    return (row.holdAmount ?? 0) - (row.holdCaptured ?? 0) - (row.holdReleased ?? 0);
  }
  expect(await getTransaction(reading(integrator), expired)).toMatchObject({ status: "expired" });
  expect(await getTransaction(reading(integrator), live)).toMatchObject({ status: "authorized" });
  expect(await getTransaction(reading(integrator), part)).toMatchObject({
    status: "settled",
    amount: 30,
    holdCaptured: 30,
    holdReleased: 50,
  });
  expect(await getCard(reading(integrator), card.id)).toMatchObject({ balance: 470, held: 50 });
  const reported = (await eventsOf(integrator, card.id)).filter(
    ({ event }) => event === "card.reverse-transaction",
  );
  expect(reported.map(({ data }) => [data["reference"], data["amount"], data["status"]])).toEqual([
    [expired, 100, "expired"],
    [part, 50, "expired"],
  ]);
});

test("concurrent workers release each hold once, and a worker that finds another one running leaves the work to it", async () => {
  const { db } = testDatabase();
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator, 500);
  for (let index = 0; index < 20; index += 1) {
    await hold(integrator, { cardId: card.id, amount: 5, expiresInS: 0 });
  }
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(7203120)`);
    expect(await expireHolds(db)).toBe(0);
  });
  await Promise.all(Array.from({ length: 5 }, () => expireHolds(db)));
  await expireHolds(db);
  expect(await getCard(reading(integrator), card.id)).toMatchObject({ balance: 500, held: 0 });
  const reported = (await eventsOf(integrator, card.id)).filter(
    ({ event }) => event === "card.reverse-transaction",
  );
  expect(reported).toHaveLength(20);
});

test("an integrator with an open discrepancy waits and does not delay the others", async () => {
  const { db } = testDatabase();
  const [broken, healthy] = [await newIntegrator(100), await newIntegrator(100)];
  const [theirs, other] = [await newCard(broken, 50), await newCard(healthy, 50)];
  await hold(broken, { cardId: theirs.id, amount: 5, expiresInS: 0 });
  await hold(healthy, { cardId: other.id, amount: 5, expiresInS: 0 });
  await db.execute(
    sql`update integrators set books_unbalanced_at = clock_timestamp() where id = ${broken.id}`,
  );
  expect(await expireHolds(db)).toBe(1);
  expect(await getCard(reading(broken), theirs.id)).toMatchObject({ held: 5 });
  expect(await getCard(reading(healthy), other.id)).toMatchObject({ held: 0 });
  expect(await hold(broken, { cardId: theirs.id, amount: 1 })).toMatchObject({
    transaction: { declineReason: "integrator_suspended" },
  });
  await db.execute(sql`update integrators set books_unbalanced_at = null where id = ${broken.id}`);
  expect(await expireHolds(db)).toBe(1);
});

/** More than are read at once. */
const MANY = 201;

/** Authorizes 1 many times in one transaction; all of them have expired. */
async function holdMany(integrator: TestIntegrator, cardId: string): Promise<void> {
  await write(integrator, ({ tx, ...caller }) =>
    performAll(
      tx,
      authorize,
      Array.from({ length: MANY }, () => ({
        ...caller,
        cardId,
        amount: 1,
        currency: null,
        narrative: null,
        merchant: null,
        expiresInS: 0,
      })),
    ),
  );
}

/** Damages a card's account, so that nothing it holds can be released until that is repaired. */
function setHeld(cardId: string, held: number): Promise<void> {
  return tamper(`update ledger_accounts set held = ${held} where id = '${cardId}'`);
}

describe.each([
  ["in real time", 0],
  ["by the clock of a sandbox", DAY_S],
])("holds that have expired %s", (_clock, aheadS) => {
  async function newSubject() {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500);
    if (aheadS > 0) {
      await advance(integrator, aheadS);
    }
    return { integrator, cardId: card.id };
  }

  test("are released and counted, however many there are, and those that cannot be delay only their integrator", async () => {
    const { db } = testDatabase();
    const stuck = await newSubject();
    await holdMany(stuck.integrator, stuck.cardId);
    const other = await newSubject();
    await hold(other.integrator, { cardId: other.cardId, amount: 5, expiresInS: 0 });
    const heldOf = async ({ integrator, cardId }: typeof stuck) =>
      (await getCard(reading(integrator), cardId)).held;
    const failed = vi.spyOn(log, "error").mockImplementation(() => undefined);
    onTestFinished(() => failed.mockRestore());
    await setHeld(stuck.cardId, 0);
    expect(await expireHolds(db)).toBe(1);
    expect(await heldOf(other)).toBe(0);
    // Once, not for each of its holds.
    expect(failed.mock.calls).toEqual([
      [
        expect.objectContaining({ integratorId: stuck.integrator.id }),
        "An expired authorization could not be released.",
      ],
    ]);
    await setHeld(stuck.cardId, MANY);
    expect(await expireHolds(db)).toBe(MANY);
    expect(await heldOf(stuck)).toBe(0);
  });
});
