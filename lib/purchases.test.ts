import { describe, expect, test } from "vitest";
import { newCard, newIntegrator, reading, write } from "#db/testing/fixtures.ts";
import { buy, capture, eventsOf, giveBack, hold, holdId, reverse } from "#db/testing/spending.ts";
import { getCard } from "#lib/card-reads.ts";
import { closeCard, freezeCard, unfreezeCard } from "#lib/cards.ts";

describe("a frozen card", () => {
  test("declines what is new with its explanation, and lets what was approved before go on", async () => {
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
      declineExplanation: expect.stringMatching(/frozen.*unfreeze/u),
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
    await giveBack(integrator, { cardId: card.id, transactionId: bought.transaction.id });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({ balance: 400, held: 0 });

    await write(integrator, (ctx) => unfreezeCard(ctx, card.id, { comment: null }));
    expect(await hold(integrator, { cardId: card.id, amount: 10 })).toMatchObject({
      transaction: { status: "authorized" },
    });
  });

  test("a card with open holds cannot be closed; a closed one declines", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500);
    const id = await holdId(integrator, { cardId: card.id, amount: 100 });
    const close = () => write(integrator, (ctx) => closeCard(ctx, card.id, { comment: null }));
    await expect(close()).rejects.toMatchObject({ code: "card_has_holds" });
    await reverse(integrator, id);
    await close();
    expect(await buy(integrator, { cardId: card.id, amount: 1 })).toMatchObject({
      transaction: { declineReason: "card_closed" },
    });
  });
});

describe("a single-use card", () => {
  test("pays once, gives the rest to the float and closes", async () => {
    const integrator = await newIntegrator(1_000);
    const card = await newCard(integrator, 500, { singleUse: true });
    await buy(integrator, { cardId: card.id, amount: 120 });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({
      status: "closed",
      balance: 0,
    });
    const told = (await eventsOf(integrator, card.id)).slice(-3).map(({ event }) => event);
    expect(told).toEqual(["card.transaction", "card.debited", "card.closed"]);
    expect(await hold(integrator, { cardId: card.id, amount: 1 })).toMatchObject({
      transaction: { declineReason: "card_closed" },
    });
  });

  test("takes no second purchase while one is under way, and closes when nothing is held after a capture", async () => {
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
});
