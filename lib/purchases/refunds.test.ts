import { describe, expect, test } from "vitest";
import { newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import { buy, eventsOf, refundPurchase } from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { closeCard } from "#lib/funds/close-card.ts";

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

  test("without a purchase id, refunds the newest purchase with that much left", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500);
    const small = await buy(integrator, { cardId: card.id, amount: 10 });
    const large = await buy(integrator, { cardId: card.id, amount: 100 });
    const last = await buy(integrator, { cardId: card.id, amount: 5 });
    const of = async (amount: number) =>
      (await refundPurchase(integrator, { cardId: card.id, amount })).refundOf;
    expect(await of(60)).toBe(large.transaction.id);
    expect(await of(5)).toBe(last.transaction.id);
    expect(await of(40)).toBe(large.transaction.id);
    expect(await of(10)).toBe(small.transaction.id);
    expect(await of(1)).toBeNull();
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
