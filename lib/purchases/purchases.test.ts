import { describe, expect, test } from "vitest";
import {
  freezeCard,
  newCard,
  newIntegrator,
  reading,
  unfreezeCard,
  write,
} from "#test/scene/fixtures.ts";
import {
  buy,
  capture,
  eventsOf,
  post,
  refundPurchase,
  hold,
  holdId,
  reverse,
} from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { listCardTransactions } from "#lib/transactions/transactions.ts";

describe("a frozen card", () => {
  test("declines new transactions with an explanation, and completes what was approved before", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500);
    const [kept, undone] = [
      await holdId(integrator, { cardId: card.id, amount: 100 }),
      await holdId(integrator, { cardId: card.id, amount: 50 }),
    ];
    const bought = await buy(integrator, { cardId: card.id, amount: 20 });
    await write(integrator, (ctx) => freezeCard(ctx, card.id, { reason: "lost", comment: null }));

    const { transaction, available } = await buy(integrator, { cardId: card.id, amount: 10 });
    expect(transaction).toMatchObject({
      status: "declined",
      declineReason: "card_frozen",
      declineExplanation: expect.stringMatching(/frozen\. Find out why before you unfreeze it/u),
      amount: 10,
      cardBalanceBefore: 480,
      cardBalanceAfter: 480,
      settledAt: null,
    });
    expect(available).toBe(330);
    expect((await eventsOf(integrator, card.id)).at(-1)).toMatchObject({
      event: "card.transaction-declined",
      data: { reference: transaction.id, status: "declined", decline_reason: "card_frozen" },
    });
    expect(await hold(integrator, { cardId: card.id, amount: 10 })).toMatchObject({
      transaction: { declineReason: "card_frozen" },
    });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({ balance: 480, held: 150 });

    await capture(integrator, kept);
    await reverse(integrator, undone);
    await refundPurchase(integrator, { cardId: card.id, transactionId: bought.transaction.id });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({ balance: 400, held: 0 });

    await write(integrator, (ctx) => unfreezeCard(ctx, card.id, { comment: null }));
    expect(await hold(integrator, { cardId: card.id, amount: 10 })).toMatchObject({
      transaction: { status: "authorized" },
    });
  });
});

test("no transaction settles before it was created", async () => {
  const integrator = await newIntegrator(1_000);
  const cardId = (await newCard(integrator, 500)).id;
  await buy(integrator, { cardId, amount: 20 });
  const id = await holdId(integrator, { cardId, amount: 100 });
  await capture(integrator, id, { amount: 40 });
  await capture(integrator, id, { amount: 60 });
  await refundPurchase(integrator, { cardId, transactionId: id, amount: 10 });
  const { rows } = await listCardTransactions(reading(integrator), cardId, { limit: 20 });
  const settled = rows.filter(({ status }) => status === "settled");
  expect(settled).toHaveLength(5);
  for (const { createdAt, settledAt } of settled) {
    expect(settledAt?.getTime()).toBeGreaterThanOrEqual(createdAt.getTime());
  }
});

describe("a single-use card", () => {
  test("pays once, returns the rest to the float, and closes", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500, { singleUse: true });
    await buy(integrator, { cardId: card.id, amount: 120 });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({
      status: "closed",
      balance: 0,
    });
    const reported = (await eventsOf(integrator, card.id)).slice(-3).map(({ event }) => event);
    expect(reported).toEqual(["card.transaction", "card.debited", "card.closed"]);
    expect(await hold(integrator, { cardId: card.id, amount: 1 })).toMatchObject({
      transaction: { declineReason: "card_closed" },
    });
  });

  test("declines a second purchase while one is in progress, and closes once nothing is held after a capture", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500, { singleUse: true });
    const undone = await holdId(integrator, { cardId: card.id, amount: 10 });
    expect(await buy(integrator, { cardId: card.id, amount: 1 })).toMatchObject({
      transaction: { declineReason: "single_use_spent" },
    });
    await reverse(integrator, undone);
    const id = await holdId(integrator, { cardId: card.id, amount: 100 });
    await capture(integrator, id, { amount: 30 });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({
      status: "active",
      balance: 470,
      held: 70,
    });
    await reverse(integrator, id);
    expect(await getCard(reading(integrator), card.id)).toMatchObject({
      status: "closed",
      balance: 0,
      held: 0,
    });
  });

  test("ends by what it pays, not by what is posted on it and paid by the float", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500, { singleUse: true });
    await write(integrator, (ctx) => freezeCard(ctx, card.id, { reason: "lost", comment: null }));
    expect(await post(integrator, { cardId: card.id, amount: 40 })).toMatchObject({
      coveredFloat: 40,
    });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({
      status: "frozen",
      balance: 500,
    });
    await write(integrator, (ctx) => unfreezeCard(ctx, card.id, { comment: null }));
    expect(await post(integrator, { cardId: card.id, amount: 600 })).toMatchObject({
      coveredFloat: 100,
    });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({
      status: "closed",
      balance: 0,
    });
  });
});
