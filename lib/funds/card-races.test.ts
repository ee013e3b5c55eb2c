import { expect, test } from "vitest";
import { freezeCard, newCard, newIntegrator, reading, write } from "#db/testing/fixtures.ts";
import type { TestIntegrator } from "#db/testing/fixtures.ts";
import { buy, capture, eventsOf, giveBack, hold, holdId, reverse } from "#db/testing/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { expireAuthorization } from "#lib/purchases/holds.ts";
import { getTransaction, listCardTransactions } from "#lib/transactions/transactions.ts";

/** The money moves once, whoever wins. */

function times<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

/** What came of each act: the row's status, or the code it was refused with. */
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

test("fifty authorizations of ten on a card of a hundred: ten are approved", async () => {
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

test("nothing is approved that starts after a freeze was answered", async () => {
  const integrator = await newIntegrator(10_000);
  const card = await newCard(integrator, 10_000);
  const asked = times(20, async () => {
    const seen: { startedAt: number; status: string }[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const startedAt = performance.now();
      const { transaction } = await hold(integrator, { cardId: card.id, amount: 1 });
      seen.push({ startedAt, status: transaction.status });
    }
    return seen;
  });
  await hold(integrator, { cardId: card.id, amount: 1 });
  await write(integrator, (ctx) => freezeCard(ctx, card.id, { reason: "stolen", comment: null }));
  const frozenAt = performance.now();
  const seen = (await asked).flat();
  const late = seen.filter(({ startedAt }) => startedAt > frozenAt);
  expect(late.length).toBeGreaterThan(0);
  expect(new Set(late.map(({ status }) => status))).toEqual(new Set(["declined"]));
  const approved = seen.filter(({ status }) => status === "authorized").length;
  expect(approved).toBeGreaterThan(0);
  expect(await cardOf(integrator, card.id)).toMatchObject({ held: approved + 1 });
  const told = (await eventsOf(integrator, card.id)).map(({ event }) => event);
  expect(told.slice(told.indexOf("card.frozen"))).not.toContain("card.transaction");
});

test("captures above their holds that race a freeze: what comes after it pays what was held, and no more", async () => {
  const integrator = await newIntegrator(10_000);
  for (let round = 0; round < 5; round += 1) {
    const card = await newCard(integrator, 2_000);
    const ids = await times(8, () => holdId(integrator, { cardId: card.id, amount: 100 }));
    const captured = outcomes(
      ids.map((id) => capture(integrator, id, { amount: 120, tolerancePercent: 20 })),
    );
    await write(integrator, (ctx) => freezeCard(ctx, card.id, { reason: "stolen", comment: null }));
    const frozen = await cardOf(integrator, card.id);
    const came = await captured;
    expect(new Set([...came, "settled"])).toEqual(
      new Set(["settled", ...came.filter((one) => one === "capture_exceeds_authorization")]),
    );
    await outcomes(ids.map((id) => capture(integrator, id)));
    const { balance, held } = await cardOf(integrator, card.id);
    expect({ lost: frozen.balance - balance, held }).toEqual({ lost: frozen.held, held: 0 });
    const told = (await eventsOf(integrator, card.id)).map(({ event, data }) => [
      event,
      data["amount"],
    ]);
    const afterFreeze = told.slice(told.findIndex(([event]) => event === "card.frozen") + 1);
    expect(afterFreeze.every(([, amount]) => Number(amount) <= 100)).toBe(true);
  }
});

test("ten captures of one authorization: one moves the money", async () => {
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator, 500);
  const id = await holdId(integrator, { cardId: card.id, amount: 100 });
  const came = await outcomes(Array.from({ length: 10 }, () => capture(integrator, id)));
  expect(came.toSorted()).toEqual([
    ...Array.from({ length: 9 }, () => "authorization_captured"),
    "settled",
  ]);
  expect(await cardOf(integrator, card.id)).toMatchObject({ balance: 400, held: 0 });
});

test("parts that race each other never capture more than was held", async () => {
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator, 500);
  const id = await holdId(integrator, { cardId: card.id, amount: 100 });
  await outcomes(Array.from({ length: 8 }, () => capture(integrator, id, { amount: 30 })));
  const { rows } = await listCardTransactions(reading(integrator), card.id, { limit: 50 });
  const captured = rows.filter(({ type }) => type === "deduct").map(({ amount }) => amount);
  expect(captured).toEqual([30, 30, 30]);
  expect(await cardOf(integrator, card.id)).toMatchObject({ balance: 410, held: 10 });
});

test("capture against reversal: one of them, and the other says why not", async () => {
  const integrator = await newIntegrator(1_000);
  for (let round = 0; round < 10; round += 1) {
    const card = await newCard(integrator, 50);
    const id = await holdId(integrator, { cardId: card.id, amount: 50 });
    const acts =
      round % 2
        ? [capture(integrator, id), reverse(integrator, id)]
        : [reverse(integrator, id), capture(integrator, id)];
    const came = await outcomes(acts);
    const { status } = await getTransaction(reading(integrator), id);
    expect(came).toContain(status);
    expect(came).toContain(
      status === "settled" ? "authorization_captured" : "authorization_reversed",
    );
    expect(await cardOf(integrator, card.id)).toMatchObject({
      balance: status === "settled" ? 0 : 50,
      held: 0,
    });
  }
});

test("capture against expiry: one of them, and never both", async () => {
  const integrator = await newIntegrator(1_000);
  const statuses = await times(10, async (round) => {
    const card = await newCard(integrator, 50);
    // Some are over before the capture is there, some are not.
    const id = await holdId(integrator, { cardId: card.id, amount: 50, expiresInS: round / 200 });
    const [came] = await Promise.all([
      outcomes([capture(integrator, id)]),
      write(integrator, (ctx) => expireAuthorization(ctx, id)),
    ]);
    await write(integrator, (ctx) => expireAuthorization(ctx, id));
    const { status } = await getTransaction(reading(integrator), id);
    expect(came).toEqual([status === "settled" ? "settled" : "authorization_expired"]);
    const { balance, held } = await cardOf(integrator, card.id);
    expect([status, balance]).toEqual(status === "settled" ? ["settled", 0] : [status, 50]);
    expect(held).toBe(status === "authorized" ? 50 : 0);
    return status;
  });
  expect(statuses).toContain("expired");
});

test("refunds that race each other never give back more than was paid", async () => {
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator, 500);
  const { transaction } = await buy(integrator, { cardId: card.id, amount: 100 });
  const came = await outcomes(
    Array.from({ length: 12 }, (_, index) =>
      giveBack(integrator, {
        cardId: card.id,
        transactionId: index % 2 ? transaction.id : null,
        amount: 30,
      }),
    ),
  );
  expect(came.filter((one) => one === "settled")).toHaveLength(3);
  expect(await cardOf(integrator, card.id)).toMatchObject({ balance: 490 });
});

test("purchases that race for a single-use card: one pays, and the card is closed with its rest on the float", async () => {
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator, 500, { singleUse: true });
  const decided = await times(10, () => buy(integrator, { cardId: card.id, amount: 20 }));
  const reasons = decided.map(({ transaction }) => transaction.declineReason);
  expect(reasons.filter((reason) => reason === null)).toHaveLength(1);
  expect(new Set(reasons)).toEqual(new Set([null, "card_closed"]));
  expect(await cardOf(integrator, card.id)).toMatchObject({ status: "closed", balance: 0 });
});
