import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { freezeCard, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { testDatabase } from "#test/database/database.ts";
import {
  buy,
  capture,
  eventsOf,
  expireNow,
  hold,
  holdId,
  increment,
  reverse,
} from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";

const SHOP = { name: "Quay Hotel", mcc: "7011", city: "Porto", country: "PT" };

describe("an increment of an authorization", () => {
  test("lets the hold grow in its own row, and reports the same reference with the new total", async () => {
    const integrator = await newIntegrator(1_000);
    const { id: cardId } = await newCard(integrator, 500);
    const id = await holdId(integrator, { cardId, amount: 120, merchant: SHOP });
    expect(await increment(integrator, id, 80)).toMatchObject({
      transaction: { id, status: "authorized", amount: 200, holdAmount: 200 },
      available: 300,
    });
    expect(await getCard(reading(integrator), cardId)).toMatchObject({ balance: 500, held: 200 });
    expect((await eventsOf(integrator, cardId)).at(-1)).toMatchObject({
      event: "card.transaction",
      data: { reference: id, status: "authorized", amount: 200, hold_remaining: 200 },
      previous: { amount: 120 },
    });
    expect(await capture(integrator, id)).toMatchObject({ amount: 200, cardBalanceAfter: 300 });
  });

  test("adds to what a reversal in part has left", async () => {
    const integrator = await newIntegrator(1_000);
    const { id: cardId } = await newCard(integrator, 500);
    const id = await holdId(integrator, { cardId, amount: 100 });
    await reverse(integrator, id, 40);
    expect(await increment(integrator, id, 50)).toMatchObject({
      transaction: { amount: 150, holdAmount: 150, holdReleased: 40 },
    });
    expect(await getCard(reading(integrator), cardId)).toMatchObject({ held: 110 });
    expect(await reverse(integrator, id)).toMatchObject({ status: "reversed", holdReleased: 150 });
  });

  test("of an approval in part leaves what was not approved as it was", async () => {
    const integrator = await newIntegrator(1_000);
    const { id: cardId } = await newCard(integrator, 100);
    const { transaction } = await hold(integrator, { cardId, amount: 300, allowPartial: true });
    await reverse(integrator, transaction.id, 60);
    expect(await increment(integrator, transaction.id, 50)).toMatchObject({
      transaction: { amount: 150, requestedAmount: 350, holdAmount: 150 },
      available: 10,
    });
  });

  test("that is declined leaves it as it was, and is recorded with its event beside it", async () => {
    const integrator = await newIntegrator(1_000);
    const { id: cardId } = await newCard(integrator, 500);
    const id = await holdId(integrator, { cardId, amount: 400, merchant: SHOP, narrative: "Room" });
    const { transaction, authorization, available } = await increment(integrator, id, 101);
    expect(authorization).toEqual(await getTransaction(reading(integrator), id));
    expect(available).toBe(100);
    expect(transaction).toMatchObject({
      type: "deduct",
      status: "declined",
      amount: 101,
      authorizationId: id,
      narrative: "Room",
      merchant: SHOP,
      declineReason: "insufficient_funds",
      declineExplanation: "Needs $1.01, has $1.00. Credit the card and retry.",
      holdAmount: null,
    });
    expect(await getTransaction(reading(integrator), id)).toMatchObject({ amount: 400 });
    expect((await eventsOf(integrator, cardId)).at(-1)).toMatchObject({
      event: "card.transaction-declined",
      data: { reference: transaction.id, authorization_id: id, amount: 101 },
    });
    // What was captured is the sum of the captures, which the decline is none of.
    expect(await capture(integrator, id, { amount: 10 })).toMatchObject({ holdCaptured: 10 });
  });

  test("is declined while the card is frozen", async () => {
    const integrator = await newIntegrator(1_000);
    const { id: cardId } = await newCard(integrator, 500);
    const id = await holdId(integrator, { cardId, amount: 100 });
    await write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: "lost", comment: null }));
    expect(await increment(integrator, id, 1)).toMatchObject({
      transaction: { declineReason: "card_frozen" },
    });
    expect(await getCard(reading(integrator), cardId)).toMatchObject({ held: 100 });
  });

  test("is no second use of a single-use card", async () => {
    const integrator = await newIntegrator(1_000);
    const { id: cardId } = await newCard(integrator, 500, { singleUse: true });
    const id = await holdId(integrator, { cardId, amount: 100 });
    expect(await increment(integrator, id, 100)).toMatchObject({
      transaction: { id, amount: 200, declineReason: null },
    });
    expect(await buy(integrator, { cardId, amount: 1 })).toMatchObject({
      transaction: { declineReason: "single_use_spent" },
    });
    await capture(integrator, id);
    expect(await getCard(reading(integrator), cardId)).toMatchObject({ status: "closed", held: 0 });
  });

  test("of an authorization that was captured in part lets the rest of its hold grow", async () => {
    const integrator = await newIntegrator(1_000);
    const { id: cardId } = await newCard(integrator, 500);
    const id = await holdId(integrator, { cardId, amount: 100 });
    await capture(integrator, id, { amount: 30 });
    expect(await increment(integrator, id, 50)).toMatchObject({
      transaction: { id, status: "settled", amount: 30, holdAmount: 150, holdCaptured: 30 },
      available: 350,
    });
    expect((await eventsOf(integrator, cardId)).at(-1)).toMatchObject({
      data: { reference: id, status: "authorized", amount: 150, hold_remaining: 120 },
      previous: { amount: 100 },
    });
    await capture(integrator, id, { amount: 120 });
    expect(await getCard(reading(integrator), cardId)).toMatchObject({ balance: 350, held: 0 });
  });

  const ENDS: Readonly<Record<string, (subject: Raced) => Promise<unknown>>> = {
    "was captured in full": ({ integrator, id }) => capture(integrator, id),
    "was captured for good": ({ integrator, id }) =>
      capture(integrator, id, { amount: 4, final: true }),
    "has expired": ({ integrator, id, cardId }) => expireNow(integrator, id, cardId),
  };
  test.each(Object.entries(ENDS))(
    "of an authorization that %s is one of its own, to which later messages apply",
    async (_, end) => {
      const integrator = await newIntegrator(1_000);
      const { id: cardId } = await newCard(integrator, 500);
      const id = await holdId(integrator, { cardId, amount: 10 });
      await end({ integrator, cardId, id });
      const before = await getTransaction(reading(integrator), id);
      const { transaction: own } = await increment(integrator, id, 20);
      expect(own).toMatchObject({ status: "authorized", amount: 20, incrementOf: id });
      expect(own.id).not.toBe(id);
      expect(await getTransaction(reading(integrator), id)).toEqual(before);
      expect(await increment(integrator, id, 5)).toMatchObject({
        transaction: { id: own.id, amount: 25 },
      });
      await reverse(integrator, id, 5);
      expect(await capture(integrator, id)).toMatchObject({
        id: own.id,
        amount: 20,
        postedAs: "authorized",
      });
      expect(await getCard(reading(integrator), cardId)).toMatchObject({ held: 0 });
    },
  );

  test("of a decline or a verification is an authorization of its own", async () => {
    const integrator = await newIntegrator(1_000);
    const { id: cardId } = await newCard(integrator, 500);
    for (const amount of [0, 10_000]) {
      const id = await holdId(integrator, { cardId, amount });
      const { transaction } = await increment(integrator, id, 1);
      expect(transaction).toMatchObject({ status: "authorized", incrementOf: id });
    }
    expect(await getCard(reading(integrator), cardId)).toMatchObject({ held: 2 });
  });

  test("of an authorization past its deadline is one of its own, before anything has released it", async () => {
    const integrator = await newIntegrator(1_000);
    const { id: cardId } = await newCard(integrator, 500);
    const id = await holdId(integrator, { cardId, amount: 10, expiresInS: 0 });
    const { transaction } = await increment(integrator, id, 20);
    expect(transaction).toMatchObject({ incrementOf: id, amount: 20 });
    expect(await getCard(reading(integrator), cardId)).toMatchObject({ held: 30 });
  });

  test("of a reversed authorization is declined", async () => {
    const integrator = await newIntegrator(1_000);
    const { id: cardId } = await newCard(integrator, 500);
    const id = await holdId(integrator, { cardId, amount: 10 });
    await reverse(integrator, id);
    expect(await increment(integrator, id, 1)).toMatchObject({
      transaction: { declineReason: "reversed_before", authorizationId: id, incrementOf: id },
    });
    expect(await getCard(reading(integrator), cardId)).toMatchObject({ held: 0 });
  });
});

interface Raced {
  integrator: TestIntegrator;
  cardId: string;
  id: string;
}

const RIVALS: Readonly<Record<string, (raced: Raced) => Promise<unknown>>> = {
  "a freeze": ({ integrator, cardId }) =>
    write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: "lost", comment: null })),
  "a capture": ({ integrator, id }) => capture(integrator, id),
  "a capture in part": ({ integrator, id }) => capture(integrator, id, { amount: 30 }),
  "a final capture": ({ integrator, id }) => capture(integrator, id, { amount: 30, final: true }),
  "a reversal": ({ integrator, id }) => reverse(integrator, id),
  "a reversal in part": ({ integrator, id }) => reverse(integrator, id, 30),
  "an expiry": ({ integrator, id, cardId }) => expireNow(integrator, id, cardId),
  "another increment": ({ integrator, id }) => increment(integrator, id, 80),
  "a purchase": ({ integrator, cardId }) => buy(integrator, { cardId, amount: 80 }),
};

type Acts = Readonly<Record<"mine" | "rival", () => Promise<unknown>>>;

/** Whichever comes second may be refused, because the authorization has ended. */
async function settle(act: () => Promise<unknown>): Promise<void> {
  await act().catch((error: unknown) => {
    if (!isDomainError(error) || !error.code.startsWith("authorization_")) {
      throw error;
    }
  });
}

const ORDERS: Readonly<Record<string, (acts: Acts) => Promise<unknown>>> = {
  before: ({ mine, rival }) => settle(mine).then(() => settle(rival)),
  after: ({ mine, rival }) => settle(rival).then(() => settle(mine)),
  "at the same time as": ({ mine, rival }) => Promise.all([settle(mine), settle(rival)]),
};

/** What a card holds, and the sum of its open authorizations. */
async function readHeld({ cardId }: Raced) {
  const [row] = await testDatabase().db.execute<{ held: number; open: number; available: number }>(
    sql`
      select a.held::float8 as held, (a.balance - a.held)::float8 as available, (
        select coalesce(sum(hold_amount - hold_captured - hold_released), 0)::float8 from transactions
        where card_id = a.id and hold_captured + hold_released < hold_amount
      ) as open from ledger_accounts a where a.id = ${cardId}`,
  );
  return row;
}

describe.each(Object.entries(ORDERS))("an increment %s", (order, run) => {
  test.each(Object.entries(RIVALS))("%s leaves the card holding what is open", async (_, rival) => {
    const rounds = order === "at the same time as" ? 8 : 1;
    for (let round = 0; round < rounds; round += 1) {
      const integrator = await newIntegrator(1_000);
      const { id: cardId } = await newCard(integrator, 200);
      const raced = { integrator, cardId, id: await holdId(integrator, { cardId, amount: 100 }) };
      await run({ mine: () => increment(integrator, raced.id, 80), rival: () => rival(raced) });
      const { held = -1, open, available = -1 } = (await readHeld(raced)) ?? {};
      expect(held).toBe(open);
      expect(available).toBeGreaterThanOrEqual(0);
      expect(held).toBeGreaterThanOrEqual(0);
    }
  });
});

test("of two increments at once that fit only one by one, one is approved", async () => {
  const integrator = await newIntegrator(1_000);
  const { id: cardId } = await newCard(integrator, 200);
  const id = await holdId(integrator, { cardId, amount: 100 });
  const results = await Promise.all([increment(integrator, id, 80), increment(integrator, id, 80)]);
  const reasons = results.map(({ transaction }) => transaction.declineReason);
  expect(new Set(reasons)).toEqual(new Set(["insufficient_funds", null]));
  expect(await getCard(reading(integrator), cardId)).toMatchObject({ held: 180, available: 20 });
});
