import { sql } from "drizzle-orm";
import { beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { adviseOf, capture, hold, holdId, reverse } from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";

let integrator: TestIntegrator;

beforeEach(async () => {
  integrator = await newIntegrator(10_000);
});

const readCard = (cardId: string) => getCard(reading(integrator), cardId);

describe("what our rules would have declined, on an active card, holds what is available", () => {
  test("a second use of a single-use card", async () => {
    const { id: cardId } = await newCard(integrator, 500, { singleUse: true });
    await hold(integrator, { cardId, amount: 100 });
    expect(await adviseOf(integrator, { cardId, amount: 450 })).toMatchObject({
      transaction: {
        overruledDecline: "single_use_spent",
        amount: 400,
        requestedAmount: 450,
        holdAmount: 400,
      },
      available: 0,
    });
    expect(await readCard(cardId)).toMatchObject({ balance: 500, held: 500 });
  });

  test("while a discrepancy of the books declines every question", async () => {
    const { id: cardId } = await newCard(integrator, 500);
    await testDatabase().db.execute(
      sql`update integrators set books_unbalanced_at = now() where id = ${integrator.id}`,
    );
    expect(await adviseOf(integrator, { cardId, amount: 50 })).toMatchObject({
      transaction: { overruledDecline: "integrator_suspended", holdAmount: 50 },
    });
    await testDatabase().db.execute(
      sql`update integrators set books_unbalanced_at = null where id = ${integrator.id}`,
    );
  });
});

test("what has ended is not held again", async () => {
  const { id: cardId } = await newCard(integrator, 500);
  const captured = await holdId(integrator, { cardId, amount: 100 });
  await capture(integrator, captured, { amount: 100 });
  const settled = { cardId, amount: 150, authorizationId: captured };
  expect(await adviseOf(integrator, settled)).toMatchObject({
    transaction: { id: captured, status: "settled", holdAmount: 100 },
    isOwn: false,
  });
  const reversed = await holdId(integrator, { cardId, amount: 100 });
  await reverse(integrator, reversed);
  await adviseOf(integrator, { cardId, amount: 150, authorizationId: reversed });
  expect(await readCard(cardId)).toMatchObject({ balance: 400, held: 0 });
});

test("one captured in part grows in its hold, not in its amount", async () => {
  const { id: cardId } = await newCard(integrator, 500);
  const id = await holdId(integrator, { cardId, amount: 100 });
  await capture(integrator, id, { amount: 30 });
  expect(await adviseOf(integrator, { cardId, amount: 120, authorizationId: id })).toMatchObject({
    transaction: { id, status: "settled", amount: 30, holdAmount: 120 },
    available: 380,
  });
  expect(await readCard(cardId)).toMatchObject({ balance: 470, held: 90 });
});

test("another currency than the card's is refused, whether we had approved it or not", async () => {
  const { id: cardId } = await newCard(integrator, 500);
  const id = await holdId(integrator, { cardId, amount: 100 });
  for (const authorizationId of [id, null]) {
    const advice = { cardId, amount: 150, currency: "EUR", authorizationId };
    await expect(adviseOf(integrator, advice)).rejects.toMatchObject({ code: "currency_mismatch" });
  }
  expect(await readCard(cardId)).toMatchObject({ held: 100 });
});
