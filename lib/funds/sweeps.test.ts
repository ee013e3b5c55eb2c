import { and, asc, eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { testDatabase } from "#test/database/database.ts";
import { move, moveMany, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { tamper } from "#test/database/tamper.ts";
import { buy, capture, eventsOf, refundPurchase, holdId, reverse } from "#test/scene/spending.ts";
import { transfers } from "#db/schema/ledger.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { ALL_MAX } from "#lib/ledger/decide.ts";
import { getFloat } from "#lib/funds/float.ts";
import { toIdempotencyName } from "#lib/base/idempotency-name.ts";
import { AMOUNT_MAX, BALANCE_MAX } from "#lib/base/money.ts";
import { listCardTransactions } from "#lib/transactions/transactions.ts";

const HALF = AMOUNT_MAX / 2;
const PARTS = [AMOUNT_MAX, AMOUNT_MAX, HALF];
const MUCH = 2 * AMOUNT_MAX + HALF;

/** A card whose balance exceeds the maximum of one transfer. */
async function newRichCard(
  { singleUse } = { singleUse: false },
): Promise<{ integrator: TestIntegrator; cardId: string }> {
  const integrator = await newIntegrator();
  const { id: cardId } = await newCard(integrator, 0, { singleUse });
  await moveMany(integrator, [
    ...PARTS.map((amount) => ({ kind: "top-up" as const, amount })),
    ...PARTS.map((amount) => ({ kind: "credit" as const, cardId, amount })),
  ]);
  return { integrator, cardId };
}

function close(integrator: TestIntegrator, cardId: string) {
  return write(integrator, (ctx) => closeCard(ctx, cardId, { comment: null }));
}

async function stateOf(integrator: TestIntegrator, cardId: string) {
  const [card, float] = [
    await getCard(reading(integrator), cardId),
    await getFloat(reading(integrator)),
  ];
  return { status: card.status, balance: card.balance, held: card.held, float: float.balance };
}

/** The transactions of a sweep in order, each chained to the one before. */
async function debitsOf(integrator: TestIntegrator, cardId: string) {
  const { rows } = await listCardTransactions(reading(integrator), cardId, { limit: 50 });
  return rows
    .filter(({ type }) => type === "debit")
    .map(({ amount, cardBalanceBefore, cardBalanceAfter }) => [
      amount,
      cardBalanceBefore,
      cardBalanceAfter,
    ])
    .toReversed();
}

const SWEPT = [
  [AMOUNT_MAX, MUCH, MUCH - AMOUNT_MAX],
  [AMOUNT_MAX, MUCH - AMOUNT_MAX, HALF],
  [HALF, HALF, 0],
];

test('a debit of "all" above the maximum of one transfer takes several transfers, and only the first carries the key', async () => {
  const { integrator, cardId } = await newRichCard();
  const debit = () =>
    call("PATCH /cards/debit/balance", {
      key: integrator.apiKey,
      body: { card_id: cardId, amount: "all" },
      headers: { "Idempotency-Key": "everything" },
    });
  const replies = await Promise.all([debit(), debit()]);
  for (const reply of [...replies, await debit()]) {
    expect(reply).toMatchObject({ status: 200, json: { id: cardId, balance: 0, available: 0 } });
  }
  expect(await stateOf(integrator, cardId)).toMatchObject({ balance: 0, float: MUCH });
  expect(await debitsOf(integrator, cardId)).toEqual(SWEPT);
  const reported = (await eventsOf(integrator, cardId)).filter(
    ({ event }) => event === "card.debited",
  );
  expect(
    reported.map(({ data }) => [
      data["amount"],
      data["card_balance_after"],
      data["float_balance_after"],
    ]),
  ).toEqual([
    [AMOUNT_MAX, MUCH - AMOUNT_MAX, AMOUNT_MAX],
    [AMOUNT_MAX, HALF, 2 * AMOUNT_MAX],
    [HALF, 0, MUCH],
  ]);
  const posted = await testDatabase()
    .db.select({ amount: transfers.amount, key: transfers.idempotencyKey })
    .from(transfers)
    .where(and(eq(transfers.integratorId, integrator.id), eq(transfers.kind, "card_debit")))
    .orderBy(asc(transfers.id));
  expect(posted).toEqual([
    { amount: AMOUNT_MAX, key: toIdempotencyName(integrator.id, "everything") },
    { amount: AMOUNT_MAX, key: null },
    { amount: HALF, key: null },
  ]);
});

test('"all" within a batch leaves the correct balances for the requests after it', async () => {
  const { integrator, cardId } = await newRichCard();
  const results = await moveMany(integrator, [
    { kind: "debit", cardId, amount: HALF },
    { kind: "debit", cardId, amount: "all" },
    { kind: "debit", cardId, amount: "all" },
    { kind: "credit", cardId, amount: 7 },
  ]);
  expect(
    results.map((result) =>
      "done" in result
        ? [result.done.card?.balance, result.done.float.balance]
        : result.refusal.code,
    ),
  ).toEqual([[2 * AMOUNT_MAX, HALF], [0, MUCH], "insufficient_card_balance", [7, MUCH - 7]]);
});

test("closing such a card sweeps its whole balance", async () => {
  const { integrator, cardId } = await newRichCard();
  await close(integrator, cardId);
  expect(await stateOf(integrator, cardId)).toEqual({
    status: "closed",
    balance: 0,
    held: 0,
    float: MUCH,
  });
  expect(await debitsOf(integrator, cardId)).toEqual(SWEPT);
});

test("a single-use card with such a balance is swept after its purchase", async () => {
  const { integrator, cardId } = await newRichCard({ singleUse: true });
  await buy(integrator, { cardId, amount: 100 });
  expect(await stateOf(integrator, cardId)).toEqual({
    status: "closed",
    balance: 0,
    held: 0,
    float: MUCH - 100,
  });
});

test("a refund of the maximum amount to a closed card is swept to the float", async () => {
  const { integrator, cardId } = await newRichCard();
  const { id } = (await buy(integrator, { cardId, amount: AMOUNT_MAX })).transaction;
  await close(integrator, cardId);
  await refundPurchase(integrator, { cardId, transactionId: id });
  expect(await stateOf(integrator, cardId)).toMatchObject({ balance: 0, float: MUCH });
});

/** Runs work while the float has the maximum balance and cannot receive anything. */
async function whileFull(integrator: TestIntegrator, work: () => Promise<void>): Promise<void> {
  const { id, balance } = await getFloat(reading(integrator));
  const setBalance = (to: number) =>
    tamper(`update ledger_accounts set balance = ${to} where id = '${id}'`);
  await setBalance(BALANCE_MAX);
  try {
    await work();
  } finally {
    await setBalance(balance);
  }
}

const REFUSED = { code: "balance_limit_exceeded" };

test("a card whose balance the float cannot receive does not close, and nothing is half done", async () => {
  const integrator = await newIntegrator(500);
  const { id: cardId } = await newCard(integrator, 500);
  await whileFull(integrator, async () => {
    const before = [await stateOf(integrator, cardId), await eventsOf(integrator, cardId)];
    await expect(close(integrator, cardId)).rejects.toMatchObject(REFUSED);
    expect(
      await call(`POST /cards/${cardId}/close`, { key: integrator.apiKey, body: {} }),
    ).toMatchObject({ status: 422, json: REFUSED });
    expect(await move(integrator, { kind: "debit", cardId, amount: "all" })).toMatchObject({
      refusal: REFUSED,
    });
    expect([await stateOf(integrator, cardId), await eventsOf(integrator, cardId)]).toEqual(before);
  });
  await close(integrator, cardId);
  expect(await stateOf(integrator, cardId)).toMatchObject({ status: "closed", balance: 0 });
});

test("a single-use card whose rest the float cannot receive neither pays nor closes", async () => {
  const integrator = await newIntegrator(500);
  const { id: cardId } = await newCard(integrator, 500, { singleUse: true });
  let id = "";
  await whileFull(integrator, async () => {
    await expect(buy(integrator, { cardId, amount: 100 })).rejects.toMatchObject(REFUSED);
    id = await holdId(integrator, { cardId, amount: 200 });
    await expect(capture(integrator, id, { amount: 200 })).rejects.toMatchObject(REFUSED);
    await capture(integrator, id, { amount: 50 });
    await expect(reverse(integrator, id)).rejects.toMatchObject(REFUSED);
    expect(await stateOf(integrator, cardId)).toEqual({
      status: "active",
      balance: 450,
      held: 150,
      float: BALANCE_MAX,
    });
  });
  await reverse(integrator, id);
  expect(await stateOf(integrator, cardId)).toMatchObject({ status: "closed", balance: 0 });
});

test("a refund to a closed card that the float cannot receive is refused, and nothing is refunded", async () => {
  const integrator = await newIntegrator(500);
  const { id: cardId } = await newCard(integrator, 500);
  const { id } = (await buy(integrator, { cardId, amount: 100 })).transaction;
  await close(integrator, cardId);
  const tryRefund = () => refundPurchase(integrator, { cardId, transactionId: id });
  await whileFull(integrator, () => expect(tryRefund()).rejects.toMatchObject(REFUSED));
  expect(await tryRefund()).toMatchObject({ amount: 100 });
  expect(await stateOf(integrator, cardId)).toMatchObject({ balance: 0, float: 500 });
});

test("a balance above the maximum of one request is refused with a remedy, and can be debited in parts", async () => {
  const integrator = await newIntegrator();
  const { id: cardId } = await newCard(integrator);
  const each = Array.from({ length: ALL_MAX / AMOUNT_MAX }, () => ({ amount: AMOUNT_MAX }));
  await moveMany(
    integrator,
    [...each, { amount: 1 }].map((amount) => ({ kind: "top-up", ...amount })),
  );
  await moveMany(
    integrator,
    [...each, { amount: 1 }].map((amount) => ({ kind: "credit", cardId, ...amount })),
  );
  const reply = await call(`POST /cards/${cardId}/close`, { key: integrator.apiKey, body: {} });
  expect(reply).toMatchObject({
    status: 422,
    json: { ...REFUSED, detail: expect.stringContaining("Debit the card in parts first.") },
  });
  await move(integrator, { kind: "debit", cardId, amount: 1 });
  await close(integrator, cardId);
  expect(await stateOf(integrator, cardId)).toEqual({
    status: "closed",
    balance: 0,
    held: 0,
    float: ALL_MAX + 1,
  });
});

test("while books do not balance, a card without money closes, and one with money does not", async () => {
  const integrator = await newIntegrator(AMOUNT_MAX);
  const [empty, full] = [await newCard(integrator), await newCard(integrator, 1)];
  const { db } = testDatabase();
  await db.execute(
    sql`update integrators set books_unbalanced_at = clock_timestamp() where id = ${integrator.id}`,
  );
  await expect(close(integrator, full.id)).rejects.toMatchObject({ code: "books_unbalanced" });
  await close(integrator, empty.id);
  expect(await stateOf(integrator, empty.id)).toMatchObject({ status: "closed" });
  await db.execute(
    sql`update integrators set books_unbalanced_at = null where id = ${integrator.id}`,
  );
});
