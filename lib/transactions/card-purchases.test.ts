import { describe, expect, test } from "vitest";
import { freezeCard, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import {
  buy,
  capture,
  refundPurchase,
  hold,
  holdId,
  increment,
  reverse,
} from "#test/scene/spending.ts";
import {
  findLastApproval,
  listOpenHolds,
  listRefundable,
  listRelatedTransactions,
} from "#lib/transactions/card-purchases.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";

const MANY = 10;

async function newSpender() {
  const integrator = await newIntegrator(10_000);
  const card = await newCard(integrator, 5_000);
  return { integrator, cardId: card.id, ctx: reading(integrator) };
}

describe("open authorizations", () => {
  test("are those that still hold funds, the first to expire first, with a count of all of them", async () => {
    const { integrator, cardId, ctx } = await newSpender();
    const late = await holdId(integrator, { cardId, amount: 100, expiresInS: 3_600 });
    const soon = await holdId(integrator, { cardId, amount: 200, expiresInS: 60 });
    const part = await holdId(integrator, { cardId, amount: 300, expiresInS: 7_200 });
    await capture(integrator, part, { amount: 50 });
    await capture(integrator, await holdId(integrator, { cardId, amount: 10 }));
    await reverse(integrator, await holdId(integrator, { cardId, amount: 20 }));
    await hold(integrator, { cardId, amount: 1_000_000 });
    const open = await listOpenHolds(ctx, cardId, MANY);
    expect(open.rows.map(({ id }) => id)).toEqual([soon, late, part]);
    expect(open.count).toBe(3);
    const first = await listOpenHolds(ctx, cardId, 2);
    expect([first.rows.length, first.count]).toEqual([2, 3]);
  });

  test("of another integrator's card are never listed", async () => {
    const { integrator, cardId } = await newSpender();
    await holdId(integrator, { cardId, amount: 100 });
    const stranger = reading(await newIntegrator());
    expect(await listOpenHolds(stranger, cardId, MANY)).toEqual({ count: 0, rows: [] });
    expect((await listOpenHolds(stranger, cardId, 0)).count).toBe(0);
  });
});

describe("the last approval before a freeze", () => {
  test("is neither a decline nor a capture, and nothing that came after", async () => {
    const { integrator, cardId, ctx } = await newSpender();
    const freeze = async () => {
      const card = await write(integrator, (writing) =>
        freezeCard(writing, cardId, { reason: null, comment: null }),
      );
      return card.freeze?.frozenAt ?? new Date(0);
    };
    await buy(integrator, { cardId, amount: 100 });
    const held = (await hold(integrator, { cardId, amount: 50 })).transaction;
    await buy(integrator, { cardId, amount: 1_000_000 });
    await capture(integrator, held.id, { amount: 20 });
    const frozenAt = await freeze();
    await capture(integrator, held.id, { amount: 30 });
    await buy(integrator, { cardId, amount: 1 });
    expect(await findLastApproval(ctx, cardId, frozenAt)).toEqual(held.createdAt);
    expect(await findLastApproval(ctx, cardId, new Date(held.createdAt.getTime() - 60_000))).toBe(
      null,
    );
    expect(await findLastApproval(reading(await newIntegrator()), cardId, frozenAt)).toBe(null);
  });
});

describe("refundable purchases", () => {
  test("are the settled purchases that are not fully refunded, newest first", async () => {
    const { integrator, cardId, ctx } = await newSpender();
    const whole = (await buy(integrator, { cardId, amount: 100 })).transaction.id;
    const part = (await buy(integrator, { cardId, amount: 100 })).transaction.id;
    const gone = (await buy(integrator, { cardId, amount: 100 })).transaction.id;
    await refundPurchase(integrator, { cardId, transactionId: part, amount: 99 });
    await refundPurchase(integrator, { cardId, transactionId: gone });
    await holdId(integrator, { cardId, amount: 10 });
    await buy(integrator, { cardId, amount: 1_000_000 });
    expect((await listRefundable(ctx, cardId, { limit: MANY })).map(({ id }) => id)).toEqual([
      part,
      whole,
    ]);
    expect(await listRefundable(ctx, cardId, { limit: 1 })).toHaveLength(1);
    expect(await listRefundable(reading(await newIntegrator()), cardId, { limit: MANY })).toEqual(
      [],
    );
  });
});

describe("related transactions", () => {
  test("are the same from each end of the relation, and never another integrator's", async () => {
    const { integrator, cardId, ctx } = await newSpender();
    await buy(integrator, { cardId, amount: 1 });
    const first = await holdId(integrator, { cardId, amount: 300 });
    await capture(integrator, first, { amount: 100 });
    const further = (await capture(integrator, first, { amount: 50 })).id;
    const back = (await refundPurchase(integrator, { cardId, transactionId: first, amount: 7 })).id;
    const around = async (id: string) => {
      const rows = await listRelatedTransactions(ctx, await getTransaction(ctx, id), MANY);
      return rows.map((row) => row.id);
    };
    expect(await around(first)).toEqual([further, back]);
    expect(await around(further)).toEqual([first]);
    expect(await around(back)).toEqual([first]);
    await reverse(integrator, first);
    const { transaction: own } = await increment(integrator, first, 5);
    expect(await around(own.id)).toEqual([first]);
    expect(await around(first)).toContain(own.id);
    const stranger = reading(await newIntegrator());
    const theirs = await getTransaction(ctx, first);
    expect(await listRelatedTransactions(stranger, theirs, MANY)).toEqual([]);
  });
});
