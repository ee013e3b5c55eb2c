import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import {
  buy,
  capture,
  eventsOf,
  holdId,
  post,
  refundPurchase,
  takeBackOf,
} from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { getFloat } from "#lib/funds/float.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";

describe("a refund", () => {
  test("is for a purchase, in parts or in full, and says whether it exceeds what was left of it", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500);
    const { transaction } = await buy(integrator, {
      cardId: card.id,
      amount: 100,
      narrative: "Shoes",
    });
    const named = { cardId: card.id, transactionId: transaction.id };
    const part = await refundPurchase(integrator, { ...named, amount: 30 });
    expect(part).toMatchObject({
      type: "deduct-reversal",
      status: "settled",
      amount: 30,
      refundOf: transaction.id,
      narrative: "Shoes",
      cardBalanceBefore: 400,
      cardBalanceAfter: 430,
    });
    expect(await refundPurchase(integrator, named)).toMatchObject({
      amount: 70,
      refundExceeds: false,
    });
    await expect(refundPurchase(integrator, named)).rejects.toMatchObject({
      code: "refund_exceeds_purchase",
    });
    expect(await refundPurchase(integrator, { ...named, amount: 5 })).toMatchObject({
      refundOf: transaction.id,
      refundExceeds: true,
    });
    const without = { transactionId: part.id, amount: 7 };
    expect(await refundPurchase(integrator, { cardId: card.id, ...without })).toMatchObject({
      refundOf: null,
      refundExceeds: true,
    });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({ balance: 512 });
  });

  test("without a purchase stands by itself, whatever purchases the card has", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500);
    const { transaction } = await buy(integrator, { cardId: card.id, amount: 100 });
    expect(await refundPurchase(integrator, { cardId: card.id, amount: 100 })).toMatchObject({
      refundOf: null,
      refundExceeds: true,
      authorizationId: null,
    });
    expect(await getTransaction(reading(integrator), transaction.id)).toMatchObject({
      refunded: 0,
    });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({ balance: 500 });
  });

  test("to a closed card, is swept to the float at once", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500);
    const { transaction } = await buy(integrator, { cardId: card.id, amount: 100 });
    await write(integrator, (ctx) => closeCard(ctx, card.id, { comment: null }));
    await refundPurchase(integrator, {
      cardId: card.id,
      transactionId: transaction.id,
      amount: 60,
    });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({
      status: "closed",
      balance: 0,
    });
    const reported = (await eventsOf(integrator, card.id)).slice(-2);
    expect(reported.map(({ event, data }) => [event, data["amount"]])).toEqual([
      ["card.reverse-transaction", 60],
      ["card.debited", 60],
    ]);
    expect(reported.at(-1)?.data).toMatchObject({ float_balance_after: 960 });
  });
});

describe("a refund by its authorization", () => {
  test("is spread over the captures, its own row first, and names the first of them", async () => {
    const integrator = await newIntegrator(1_000);
    const { id: cardId } = await newCard(integrator, 500);
    const authorizationId = await holdId(integrator, { cardId, amount: 100 });
    const of = { authorizationId };
    expect(await refundPurchase(integrator, { cardId, of, amount: 7 })).toMatchObject({
      refundOf: null,
      refundExceeds: true,
      authorizationId: null,
    });
    await capture(integrator, authorizationId, { amount: 30 });
    const further = await capture(integrator, authorizationId, { amount: 70 });
    const refunded = async () =>
      Promise.all(
        [authorizationId, further.id].map(
          async (id) => (await getTransaction(reading(integrator), id)).refunded,
        ),
      );
    expect(await refundPurchase(integrator, { cardId, of, amount: 50 })).toMatchObject({
      refundOf: authorizationId,
      authorizationId,
      refundExceeds: false,
    });
    expect(await refunded()).toEqual([30, 20]);
    const named = { cardId, transactionId: authorizationId, amount: 10 };
    expect(await refundPurchase(integrator, named)).toMatchObject({ refundExceeds: true });
    expect(await refunded()).toEqual([30, 30]);
    expect(await refundPurchase(integrator, { cardId, of, amount: 50 })).toMatchObject({
      refundExceeds: true,
    });
    expect(await refunded()).toEqual([30, 70]);
  });

  test("of a purchase that was taken back is for the others", async () => {
    const integrator = await newIntegrator(1_000);
    const { id: cardId } = await newCard(integrator, 500);
    const authorizationId = await holdId(integrator, { cardId, amount: 100 });
    await capture(integrator, authorizationId, { amount: 30 });
    const { id: further } = await capture(integrator, authorizationId, { amount: 70 });
    const of = { authorizationId };
    await refundPurchase(integrator, { cardId, of, amount: 20 });
    await takeBackOf(integrator, authorizationId);
    expect(await getTransaction(reading(integrator), further)).toMatchObject({ refunded: 20 });
    expect(await refundPurchase(integrator, { cardId, of, amount: 50 })).toMatchObject({
      refundOf: further,
      refundExceeds: false,
    });
    expect(await getTransaction(reading(integrator), further)).toMatchObject({ refunded: 70 });
  });

  test("the same captures and refunds, in any order, leave card, float, and deficit the same", async () => {
    const step = fc.record({
      kind: fc.constantFrom("capture", "refund"),
      amount: fc.integer({ min: 1, max: 90 }),
    });
    const life = fc
      .record({
        funds: fc.integer({ min: 20, max: 120 }),
        float: fc.integer({ min: 0, max: 60 }),
        steps: fc.array(step, { minLength: 2, maxLength: 5 }),
      })
      .chain((chosen) =>
        fc.record({
          chosen: fc.constant(chosen),
          order: fc.shuffledSubarray(chosen.steps, { minLength: chosen.steps.length }),
        }),
      );
    await fc.assert(
      fc.asyncProperty(life, async ({ chosen: { funds, float, steps }, order }) => {
        expect(await endOf(funds, float, order)).toEqual(await endOf(funds, float, steps));
      }),
      { numRuns: 25 },
    );
  });
});

describe("a card with cover outstanding", () => {
  test("says what has not come back, and an unlinked refund is reported, since it may be debited", async () => {
    const integrator = await newIntegrator(100);
    const { id: cardId } = await newCard(integrator);
    const outstanding = async () => (await getCard(reading(integrator), cardId)).coverOutstanding;
    const { id } = await post(integrator, { cardId, amount: 130 });
    expect(await outstanding()).toBe(130);
    await refundPurchase(integrator, { cardId, transactionId: id, amount: 30 });
    expect(await outstanding()).toBe(100);
    expect(await reportedOf(integrator, cardId)).toEqual([]);
    const unlinked = await refundPurchase(integrator, { cardId, amount: 45 });
    expect(await outstanding()).toBe(100);
    expect((await eventsOf(integrator, cardId)).at(-1)).toMatchObject({
      event: "card.cover-outstanding",
      data: {
        card_id: cardId,
        amount: 45,
        reference: unlinked.id,
        card_balance_after: 45,
        cover_outstanding: 100,
      },
    });
    await takeBackOf(integrator, id);
    expect(await outstanding()).toBe(0);
    await refundPurchase(integrator, { cardId, amount: 5 });
    expect((await eventsOf(integrator, cardId)).at(-1)).toMatchObject({
      event: "card.reverse-transaction",
    });
  });

  test("reports nothing once it is closed: it keeps nothing of a refund", async () => {
    const integrator = await newIntegrator(100);
    const { id: cardId } = await newCard(integrator);
    await post(integrator, { cardId, amount: 130 });
    await write(integrator, (ctx) => closeCard(ctx, cardId, { comment: null }));
    await refundPurchase(integrator, { cardId, amount: 45 });
    expect(await getCard(reading(integrator), cardId)).toMatchObject({
      balance: 0,
      coverOutstanding: 130,
    });
    expect(await reportedOf(integrator, cardId)).toEqual([]);
  });
});

test.each(["another purchase", "the whole authorization"])(
  "a refund of one purchase leaves the cover of %s's refund that was taken back",
  async (what) => {
    const integrator = await newIntegrator(1_000);
    const { id: cardId } = await newCard(integrator, 100);
    const authorizationId = await holdId(integrator, { cardId, amount: 100 });
    await capture(integrator, authorizationId, { amount: 50 });
    const { id: further } = await capture(integrator, authorizationId, { amount: 50 });
    const first =
      what === "another purchase"
        ? { named: { transactionId: authorizationId }, other: further }
        : { named: { of: { authorizationId } }, other: authorizationId };
    const refunded = await refundPurchase(integrator, { cardId, ...first.named, amount: 50 });
    await buy(integrator, { cardId, amount: 50 });
    await takeBackOf(integrator, refunded.id);
    const left = async () => {
      const { balance, coverOutstanding } = await getCard(reading(integrator), cardId);
      return { balance, coverOutstanding };
    };
    expect(await left()).toEqual({ balance: 0, coverOutstanding: 50 });
    await refundPurchase(integrator, { cardId, transactionId: first.other, amount: 50 });
    expect(await left()).toEqual({ balance: 50, coverOutstanding: 50 });
    await refundPurchase(integrator, { cardId, of: { authorizationId }, amount: 50 });
    expect(await left()).toEqual({ balance: 50, coverOutstanding: 0 });
  },
);

async function reportedOf(integrator: TestIntegrator, cardId: string) {
  const events = await eventsOf(integrator, cardId);
  return events.filter(({ event }) => event === "card.cover-outstanding");
}

/** What captures and refunds of one authorization leave, on a card that stays active. */
async function endOf(
  funds: number,
  float: number,
  steps: readonly { kind: string; amount: number }[],
) {
  const integrator = await newIntegrator(float + funds);
  const { id: cardId } = await newCard(integrator, funds);
  const authorizationId = await holdId(integrator, { cardId, amount: 20 });
  for (const { kind, amount } of steps) {
    await (kind === "capture"
      ? capture(integrator, authorizationId, { amount })
      : refundPurchase(integrator, { cardId, of: { authorizationId }, amount }));
  }
  const { balance } = await getCard(reading(integrator), cardId);
  const { balance: left, deficit } = await getFloat(reading(integrator));
  return { card: balance, float: left, deficit };
}
