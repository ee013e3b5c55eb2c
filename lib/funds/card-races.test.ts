import { expect, test } from "vitest";
import { freezeCard, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import {
  buy,
  capture,
  eventsOf,
  refundPurchase,
  hold,
  holdId,
  reverse,
} from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { expireAuthorization } from "#lib/purchases/holds.ts";
import { getTransaction, listCardTransactions } from "#lib/transactions/transactions.ts";

/** Whichever request wins a race, the money moves exactly once. */

function times<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

/** The result of each request: the status of its row, or the code of its refusal. */
async function outcomes(acts: readonly Promise<{ status: string }>[]): Promise<string[]> {
  const settled = await Promise.allSettled(acts);
  return settled.map((one) =>
    one.status === "fulfilled" ? one.value.status : String(one.reason.code),
  );
}

function cardOf(integrator: TestIntegrator, id: string) {
  return getCard(reading(integrator), id);
}

test("two authorizations for the last funds: exactly one is approved", async () => {
  const integrator = await newIntegrator(1_000);
  for (let round = 0; round < 5; round += 1) {
    const card = await newCard(integrator, 100);
    const decided = await times(2, (index) =>
      index
        ? hold(integrator, { cardId: card.id, amount: 100 })
        : buy(integrator, { cardId: card.id, amount: 100 }),
    );
    const reasons = decided.map(({ transaction }) => transaction.declineReason);
    expect(reasons).toHaveLength(2);
    expect(new Set(reasons)).toEqual(new Set(["insufficient_funds", null]));
  }
});

test("fifty authorizations of 10 on a card with 100: ten are approved", async () => {
  const integrator = await newIntegrator(100);
  const card = await newCard(integrator, 100);
  const decided = await times(50, () => hold(integrator, { cardId: card.id, amount: 10 }));
  const approved = decided.filter(({ transaction }) => transaction.status === "authorized");
  expect(approved).toHaveLength(10);
  expect(await cardOf(integrator, card.id)).toMatchObject({
    balance: 100,
    held: 100,
    available: 0,
  });
});

test("no authorization that starts after a freeze has been acknowledged is approved", async () => {
  const integrator = await newIntegrator(10_000);
  const card = await newCard(integrator, 10_000);
  const { promise: firstDecision, resolve: noteDecision } = Promise.withResolvers<void>();
  const attempts = times(20, async () => {
    const seen: { startedAt: number; status: string }[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const startedAt = performance.now();
      const { transaction } = await hold(integrator, { cardId: card.id, amount: 1 });
      seen.push({ startedAt, status: transaction.status });
      noteDecision();
    }
    return seen;
  });
  await firstDecision;
  await write(integrator, (ctx) => freezeCard(ctx, card.id, { reason: "stolen", comment: null }));
  const frozenAt = performance.now();
  const seen = (await attempts).flat();
  const late = seen.filter(({ startedAt }) => startedAt > frozenAt);
  expect(late.length).toBeGreaterThan(0);
  expect(new Set(late.map(({ status }) => status))).toEqual(new Set(["declined"]));
  const approved = seen.filter(({ status }) => status === "authorized").length;
  expect(approved).toBeGreaterThan(0);
  expect(await cardOf(integrator, card.id)).toMatchObject({ held: approved });
  const reported = (await eventsOf(integrator, card.id)).map(({ event }) => event);
  expect(reported.slice(reported.indexOf("card.frozen"))).not.toContain("card.transaction");
});

/** What the float pays of a capture of 120 whose hold is 100. */
const COVERED = JSON.stringify({ float: 20, deficit: 0 });

test("over-captures that race a freeze: after it, the card pays what was held, and the float the rest", async () => {
  const integrator = await newIntegrator(20_000);
  for (let round = 0; round < 5; round += 1) {
    const card = await newCard(integrator, 2_000);
    const ids = await times(8, () => holdId(integrator, { cardId: card.id, amount: 100 }));
    const captured = outcomes(ids.map((id) => capture(integrator, id, { amount: 120 })));
    await write(integrator, (ctx) => freezeCard(ctx, card.id, { reason: "stolen", comment: null }));
    const frozen = await cardOf(integrator, card.id);
    expect(new Set(await captured)).toEqual(new Set(["settled"]));
    const { balance, held } = await cardOf(integrator, card.id);
    expect({ lost: frozen.balance - balance, held }).toEqual({ lost: frozen.held, held: 0 });
    const reported = await eventsOf(integrator, card.id);
    const freezeAt = reported.findIndex(({ event }) => event === "card.frozen");
    const late = reported.slice(freezeAt).filter(({ event }) => event === "card.transaction");
    expect(late.every(({ data }) => JSON.stringify(data["covered"]) === COVERED)).toBe(true);
  }
});

test("ten captures of one authorization: one moves the money", async () => {
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator, 500);
  const id = await holdId(integrator, { cardId: card.id, amount: 100 });
  const results = await outcomes(Array.from({ length: 10 }, () => capture(integrator, id)));
  expect(results.toSorted()).toEqual([
    ...Array.from({ length: 9 }, () => "authorization_captured"),
    "settled",
  ]);
  expect(await cardOf(integrator, card.id)).toMatchObject({ balance: 400, held: 0 });
});

test("racing partial captures take from the hold what was held, and the card pays the rest", async () => {
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator, 500);
  const id = await holdId(integrator, { cardId: card.id, amount: 100 });
  await outcomes(Array.from({ length: 8 }, () => capture(integrator, id, { amount: 30 })));
  const { rows } = await listCardTransactions(reading(integrator), card.id, { limit: 50 });
  const captured = rows.filter(({ type }) => type === "deduct");
  expect(captured.map(({ amount }) => amount)).toEqual(Array.from({ length: 8 }, () => 30));
  const approved = captured.filter(({ postedAs }) => postedAs === "authorized");
  expect(approved).toHaveLength(3);
  expect(await cardOf(integrator, card.id)).toMatchObject({ balance: 260, held: 0 });
});

test("a capture that races a reversal: both are recorded, and the card pays once", async () => {
  const integrator = await newIntegrator(1_000);
  for (let round = 0; round < 10; round += 1) {
    const card = await newCard(integrator, 50);
    const id = await holdId(integrator, { cardId: card.id, amount: 50 });
    const posted = () => capture(integrator, id, { amount: 50 });
    const acts =
      round % 2 ? [posted(), reverse(integrator, id)] : [reverse(integrator, id), posted()];
    await Promise.all(acts);
    const { status } = await getTransaction(reading(integrator), id);
    const { rows } = await listCardTransactions(reading(integrator), card.id, { limit: 5 });
    const paid = rows.filter(({ type, postedAs }) => type === "deduct" && postedAs !== null);
    expect(paid.map(({ postedAs }) => postedAs)).toEqual([
      status === "settled" ? "authorized" : "after_reversal",
    ]);
    expect(await cardOf(integrator, card.id)).toMatchObject({ balance: 0, held: 0 });
  }
});

test("a capture that races the expiry: one takes effect, never both", async () => {
  const integrator = await newIntegrator(1_000);
  const statuses = await times(10, async (round) => {
    const card = await newCard(integrator, 50);
    // Some are due at once, and their expiry comes first; others become due later, perhaps before the capture.
    const isDue = round % 2 === 0;
    const expiresInS = isDue ? 0 : round / 200;
    const id = await holdId(integrator, { cardId: card.id, amount: 50, expiresInS });
    const expire = () => write(integrator, (ctx) => expireAuthorization(ctx, id));
    const first = isDue ? expire() : undefined;
    const [results] = await Promise.all([outcomes([capture(integrator, id)]), first ?? expire()]);
    await expire();
    const { status } = await getTransaction(reading(integrator), id);
    expect(results).toEqual([status === "settled" ? "settled" : "authorization_expired"]);
    const { balance, held } = await cardOf(integrator, card.id);
    expect([status, balance]).toEqual(status === "settled" ? ["settled", 0] : [status, 50]);
    expect(held).toBe(status === "authorized" ? 50 : 0);
    return status;
  });
  expect(statuses).toContain("expired");
});

test("racing refunds: the purchase is refunded once, and what exceeds it says so", async () => {
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator, 500);
  const { transaction } = await buy(integrator, { cardId: card.id, amount: 100 });
  const refunds = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      refundPurchase(integrator, {
        cardId: card.id,
        transactionId: index % 2 ? transaction.id : null,
        amount: 30,
      }),
    ),
  );
  expect(refunds.filter(({ refundExceeds }) => refundExceeds === false)).toHaveLength(3);
  expect(await getTransaction(reading(integrator), transaction.id)).toMatchObject({
    refunded: 100,
  });
  expect(await cardOf(integrator, card.id)).toMatchObject({ balance: 400 + 12 * 30 });
});

test("purchases that race for a single-use card: one pays, and the card closes with the rest swept to the float", async () => {
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator, 500, { singleUse: true });
  const decided = await times(10, () => buy(integrator, { cardId: card.id, amount: 20 }));
  const reasons = decided.map(({ transaction }) => transaction.declineReason);
  expect(reasons.filter((reason) => reason === null)).toHaveLength(1);
  expect(new Set(reasons)).toEqual(new Set([null, "card_closed"]));
  expect(await cardOf(integrator, card.id)).toMatchObject({ status: "closed", balance: 0 });
});
