import { describe, expect, test } from "vitest";
import { freezeCard, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
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

/** What the card network takes back is an inverse of its own, in every state of the card. */

interface Subject {
  integrator: TestIntegrator;
  cardId: string;
}

/** A card with 100, and 50 left on the float. */
async function newSubject(singleUse = false): Promise<Subject> {
  const integrator = await newIntegrator(150);
  return { integrator, cardId: (await newCard(integrator, 100, { singleUse })).id };
}

const STATES = {
  active: async () => undefined,
  frozen: async ({ integrator, cardId }: Subject) => {
    await write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: "lost", comment: null }));
  },
  closed: async ({ integrator, cardId }: Subject) => {
    await write(integrator, (ctx) => closeCard(ctx, cardId, { comment: null }));
  },
};
type State = keyof typeof STATES;

async function readMoney({ integrator, cardId }: Subject) {
  const { balance, held, coverOutstanding } = await getCard(reading(integrator), cardId);
  const float = await getFloat(reading(integrator));
  return {
    card: balance,
    held,
    float: float.balance,
    deficit: float.deficit,
    outstanding: coverOutstanding,
  };
}

const NOTHING = { card: 0, held: 0, float: 0, deficit: 0, outstanding: 0 };

describe("a purchase that is taken back", () => {
  test.each<[State, object]>([
    ["active", { card: 100, float: 50 }],
    ["frozen", { card: 100, float: 50 }],
    ["closed", { float: 150 }],
  ])("on a card that is %s: its money comes back, and no hold", async (state, money) => {
    const subject = await newSubject();
    const { integrator, cardId } = subject;
    const id = await holdId(integrator, { cardId, amount: 60 });
    await capture(integrator, id, { amount: 40, final: true });
    await STATES[state](subject);
    const contra = await takeBackOf(integrator, id);
    expect(contra).toMatchObject({
      type: "deduct-reversal",
      status: "settled",
      amount: 40,
      takesBack: id,
      refundOf: null,
      refundExceeds: null,
    });
    expect(await readMoney(subject)).toEqual({ ...NOTHING, ...money });
    expect(await getTransaction(reading(integrator), id)).toMatchObject({
      status: "settled",
      takenBack: 40,
      holdCaptured: 40,
      refunded: 0,
    });
    expect(await eventsOf(integrator, cardId)).toContainEqual(
      expect.objectContaining({
        event: "card.reverse-transaction",
        data: expect.objectContaining({ amount: 40, takes_back: id, reference: contra.id }),
      }),
    );
  });

  test.each<[State, object]>([
    ["active", { card: 100, float: 50 }],
    ["frozen", { card: 100, float: 50 }],
    ["closed", { float: 150 }],
  ])("on a card that is %s: gives back its cover first, and what is owed", async (state, money) => {
    const subject = await newSubject();
    const { integrator, cardId } = subject;
    const { id } = await post(integrator, { cardId, amount: 200 });
    expect(await readMoney(subject)).toEqual({ ...NOTHING, deficit: 50, outstanding: 100 });
    await STATES[state](subject);
    await takeBackOf(integrator, id);
    expect(await readMoney(subject)).toEqual({ ...NOTHING, ...money });
  });

  test("after a refund that gave back some cover, gives back the rest of it", async () => {
    const subject = await newSubject();
    const { integrator, cardId } = subject;
    const { id } = await post(integrator, { cardId, amount: 120 });
    await refundPurchase(integrator, { cardId, transactionId: id, amount: 15 });
    await takeBackOf(integrator, id);
    expect(await readMoney(subject)).toEqual({ ...NOTHING, card: 115, float: 50 });
    expect(
      await refundPurchase(integrator, { cardId, transactionId: id, amount: 3 }),
    ).toMatchObject({ refundOf: id, refundExceeds: true });
    expect(await readMoney(subject)).toMatchObject({ card: 118, float: 50 });
  });
});

/** What covers a refund that was taken back, after its money had been spent. */
describe("the cover of a refund that was taken back", () => {
  test("is given back when its purchase is taken back", async () => {
    const subject = await newSubject();
    const { integrator, cardId } = subject;
    const { transaction } = await buy(integrator, { cardId, amount: 100 });
    const given = { cardId, transactionId: transaction.id, amount: 30 };
    const { id } = await refundPurchase(integrator, given);
    await buy(integrator, { cardId, amount: 30 });
    await takeBackOf(integrator, id);
    expect(await readMoney(subject)).toEqual({ ...NOTHING, float: 20, outstanding: 30 });
    await takeBackOf(integrator, transaction.id);
    expect(await readMoney(subject)).toEqual({ ...NOTHING, card: 70, float: 50 });
  });

  test("stays when another purchase of its authorization is taken back", async () => {
    const subject = await newSubject();
    const { integrator, cardId } = subject;
    const authorizationId = await holdId(integrator, { cardId, amount: 100 });
    await capture(integrator, authorizationId, { amount: 50 });
    const { id: further } = await capture(integrator, authorizationId, { amount: 50 });
    const given = { cardId, transactionId: authorizationId, amount: 50 };
    const { id } = await refundPurchase(integrator, given);
    await buy(integrator, { cardId, amount: 50 });
    await takeBackOf(integrator, id);
    expect(await readMoney(subject)).toEqual({ ...NOTHING, outstanding: 50 });
    await takeBackOf(integrator, further);
    expect(await readMoney(subject)).toEqual({ ...NOTHING, card: 50, outstanding: 50 });
    await takeBackOf(integrator, authorizationId);
    expect(await readMoney(subject)).toEqual({ ...NOTHING, card: 50, float: 50 });
  });
});

describe("a refund that is taken back", () => {
  test.each<[State, object, object]>([
    ["active", { coveredFloat: null }, { card: 60, float: 50 }],
    ["frozen", { coveredFloat: 30 }, { card: 90, float: 20, outstanding: 30 }],
    ["closed", { coveredFloat: 30 }, { float: 110, outstanding: 30 }],
  ])("on a card that is %s: paid as a purchase is", async (state, covered, money) => {
    const subject = await newSubject();
    const { integrator, cardId } = subject;
    const { transaction } = await buy(integrator, { cardId, amount: 40 });
    const given = { cardId, transactionId: transaction.id, amount: 30 };
    const { id } = await refundPurchase(integrator, given);
    await STATES[state](subject);
    const contra = await takeBackOf(integrator, id);
    expect(contra).toMatchObject({
      type: "deduct",
      amount: 30,
      takesBack: id,
      postedAs: null,
      ...covered,
    });
    expect(await readMoney(subject)).toEqual({ ...NOTHING, ...money });
    expect(await getTransaction(reading(integrator), transaction.id)).toMatchObject({
      refunded: 0,
    });
    expect(await getTransaction(reading(integrator), id)).toMatchObject({ takenBack: 30 });
    expect(await eventsOf(integrator, cardId)).toContainEqual(
      expect.objectContaining({
        event: "card.transaction",
        data: expect.objectContaining({ amount: 30, takes_back: id, reference: contra.id }),
      }),
    );
  });

  test("leaves the other refunds of its purchase", async () => {
    const { integrator, cardId } = await newSubject();
    const { transaction } = await buy(integrator, { cardId, amount: 100 });
    const given = { cardId, transactionId: transaction.id };
    const { id } = await refundPurchase(integrator, { ...given, amount: 20 });
    const other = await refundPurchase(integrator, { ...given, amount: 30 });
    await takeBackOf(integrator, id);
    const refunded = async () =>
      (await getTransaction(reading(integrator), transaction.id)).refunded;
    expect(await refunded()).toBe(30);
    await takeBackOf(integrator, other.id);
    expect(await refunded()).toBe(0);
  });

  test("and given once more, leaves everything as one refund does", async () => {
    const subject = await newSubject();
    const { integrator, cardId } = subject;
    const bought = await post(integrator, { cardId, amount: 130 });
    const given = { cardId, transactionId: bought.id, amount: 50 };
    const { id } = await refundPurchase(integrator, given);
    const once = await readMoney(subject);
    expect(once).toEqual({ ...NOTHING, card: 20, float: 50 });
    await takeBackOf(integrator, id);
    expect(await readMoney(subject)).toEqual({ ...NOTHING, float: 20, outstanding: 30 });
    await refundPurchase(integrator, given);
    expect(await readMoney(subject)).toEqual(once);
  });

  test("of an authorization's purchases counts in none of them anymore", async () => {
    const { integrator, cardId } = await newSubject();
    const authorizationId = await holdId(integrator, { cardId, amount: 60 });
    await capture(integrator, authorizationId, { amount: 20 });
    const { id: further } = await capture(integrator, authorizationId, { amount: 40 });
    const of = { authorizationId };
    const { id } = await refundPurchase(integrator, { cardId, of, amount: 50 });
    await takeBackOf(integrator, id);
    for (const purchase of [authorizationId, further]) {
      expect(await getTransaction(reading(integrator), purchase)).toMatchObject({ refunded: 0 });
    }
  });

  test("without a purchase is no use of a single-use card", async () => {
    const subject = await newSubject(true);
    const { integrator, cardId } = subject;
    const { id } = await refundPurchase(integrator, { cardId, amount: 5 });
    await takeBackOf(integrator, id);
    expect(await getCard(reading(integrator), cardId)).toMatchObject({
      status: "active",
      balance: 100,
    });
  });
});

test("taken back once: a second time, and several at the same time, change nothing", async () => {
  const subject = await newSubject();
  const { integrator, cardId } = subject;
  const { id } = await post(integrator, { cardId, amount: 70 });
  const contras = await Promise.all(Array.from({ length: 6 }, () => takeBackOf(integrator, id)));
  expect(new Set(contras.map((contra) => contra.id)).size).toBe(1);
  expect(await takeBackOf(integrator, id)).toMatchObject({ id: contras[0]?.id });
  expect(await readMoney(subject)).toEqual({ ...NOTHING, card: 100, float: 50 });
});
