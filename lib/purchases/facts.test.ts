import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { freezeCard, move, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import {
  buy,
  capture,
  eventsOf,
  expireNow,
  holdId,
  post,
  refundPurchase,
  reverse,
} from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { getFloat } from "#lib/funds/float.ts";
import { listFloatEntries } from "#lib/funds/float-statement.ts";
import { listAudit } from "#lib/record/audit.ts";
import { getTransaction, listTransactions } from "#lib/transactions/transactions.ts";

/** What the card network reports has happened: it is recorded, and paid, in every state. */

interface Subject {
  integrator: TestIntegrator;
  cardId: string;
}

/** A card with 100, and this much left on the float. */
async function subjectWith(float: number): Promise<Subject> {
  const integrator = await newIntegrator(float + 100);
  return { integrator, cardId: (await newCard(integrator, 100)).id };
}

const freeze = ({ integrator, cardId }: Subject) =>
  write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: "lost", comment: null }));
const close = ({ integrator, cardId }: Subject) =>
  write(integrator, (ctx) => closeCard(ctx, cardId, { comment: null }));

/** An authorization of 60 that has ended in this way, and what else has happened to its card. */
const ENDS = {
  captured: async ({ integrator }: Subject, id: string) => capture(integrator, id),
  reversed: async ({ integrator }: Subject, id: string) => reverse(integrator, id),
  expired: async ({ integrator, cardId }: Subject, id: string) => expireNow(integrator, id, cardId),
  open: async () => undefined,
};

async function readMoney({ integrator, cardId }: Subject) {
  const [card, float] = [
    await getCard(reading(integrator), cardId),
    await getFloat(reading(integrator)),
  ];
  return { card: card.balance, held: card.held, float: float.balance, deficit: float.deficit };
}

describe("a capture of 60 from a card with 100", () => {
  test.each([
    ["open", "authorized", 60],
    ["open", "over_authorization", 90],
    ["captured", "over_authorization", 30],
    ["reversed", "after_reversal", 60],
    ["expired", "after_expiry", 60],
  ] as const)("%s: posted %s for %d, and paid by the card", async (end, postedAs, amount) => {
    const subject = await subjectWith(1_000);
    const { integrator, cardId } = subject;
    const id = await holdId(integrator, { cardId, amount: 60 });
    await ENDS[end](subject, id);
    expect(await capture(integrator, id, { amount })).toMatchObject({
      postedAs,
      amount,
      status: "settled",
      authorizationId: end === "open" ? null : id,
      coveredFloat: null,
    });
    const left = 100 - amount - (end === "captured" ? 60 : 0);
    expect(await readMoney(subject)).toEqual({ card: left, held: 0, float: 1_000, deficit: 0 });
    const { status } = await getTransaction(reading(integrator), id);
    expect(status).toBe(end === "open" || end === "captured" ? "settled" : end);
  });

  test("that was declined is a row of its own", async () => {
    const subject = await subjectWith(0);
    const { integrator, cardId } = subject;
    const id = await holdId(integrator, { cardId, amount: 101 });
    expect(await capture(integrator, id, { amount: 60 })).toMatchObject({
      postedAs: "after_decline",
      authorizationId: id,
    });
    expect(await getTransaction(reading(integrator), id)).toMatchObject({ status: "declined" });
  });
});

describe("what the card cannot pay", () => {
  test("is paid by the float, as a credit that names the purchase, a line of its statement, and events", async () => {
    const subject = await subjectWith(50);
    const { integrator, cardId } = subject;
    const purchase = await post(integrator, { cardId, amount: 130 });
    expect(purchase).toMatchObject({
      postedAs: "without_authorization",
      coveredFloat: 30,
      coveredDeficit: 0,
      cardBalanceAfter: 0,
    });
    expect(await readMoney(subject)).toEqual({ card: 0, held: 0, float: 20, deficit: 0 });
    const { rows } = await listTransactions(reading(integrator), { cardId, limit: 2 });
    expect(rows.find(({ type }) => type === "credit")).toMatchObject({
      coverOf: purchase.id,
      amount: 30,
      cardBalanceBefore: 100,
    });
    const [audited] = (await listAudit(reading(integrator), { limit: 1 })).rows;
    expect(audited).toMatchObject({ action: "card.credited", after: { cover_of: purchase.id } });
    const [line] = (await listFloatEntries(reading(integrator), { limit: 1 })).rows;
    expect(line).toMatchObject({ kind: "cover", amount: -30, balanceAfter: 20, cardId });
    const events = (await eventsOf(integrator, cardId)).slice(-2);
    expect(events.map(({ event, data }) => [event, data["cover_of"], data["covered"]])).toEqual([
      ["card.credited", purchase.id, undefined],
      ["card.transaction", undefined, { float: 30, deficit: 0 }],
    ]);
  });

  test("beside what other authorizations hold is paid by the float, and they keep it", async () => {
    const subject = await subjectWith(50);
    const { integrator, cardId } = subject;
    const other = await holdId(integrator, { cardId, amount: 70 });
    expect(await post(integrator, { cardId, amount: 40 })).toMatchObject({ coveredFloat: 10 });
    expect(await readMoney(subject)).toEqual({ card: 70, held: 70, float: 40, deficit: 0 });
    expect(await capture(integrator, other)).toMatchObject({ coveredFloat: null });
    expect(await readMoney(subject)).toEqual({ card: 0, held: 0, float: 40, deficit: 0 });
  });

  test("and the float cannot pay either is owed, and repaid by the next funds that the float receives", async () => {
    const subject = await subjectWith(20);
    const { integrator, cardId } = subject;
    const purchase = await post(integrator, { cardId, amount: 200 });
    expect(purchase).toMatchObject({ coveredFloat: 20, coveredDeficit: 80 });
    expect(await readMoney(subject)).toEqual({ card: 0, held: 0, float: 0, deficit: 80 });
    expect(await move(integrator, { kind: "credit", cardId, amount: 1 })).toMatchObject({
      refusal: { code: "insufficient_float" },
    });
    expect(await move(integrator, { kind: "top-up", amount: 50 })).toMatchObject({
      done: { float: { balance: 0, deficit: 30 } },
    });
    await move(integrator, { kind: "top-up", amount: 50 });
    expect(await readMoney(subject)).toEqual({ card: 0, held: 0, float: 20, deficit: 0 });
    const { id: floatId } = await getFloat(reading(integrator));
    const events = (await eventsOf(integrator, floatId)).slice(-5);
    expect(events.map(({ event, data }) => [event, data["amount"], data["deficit"]])).toEqual([
      ["float.deficit", 80, 80],
      ["float.topped-up", 50, undefined],
      ["float.deficit-repaid", 50, 30],
      ["float.topped-up", 50, undefined],
      ["float.deficit-repaid", 30, 0],
    ]);
  });

  test("a frozen card pays only from the hold, and a closed card without one nothing", async () => {
    const frozen = await subjectWith(1_000);
    const id = await holdId(frozen.integrator, { cardId: frozen.cardId, amount: 60 });
    await freeze(frozen);
    expect(await capture(frozen.integrator, id, { amount: 75 })).toMatchObject({
      postedAs: "over_authorization",
      coveredFloat: 15,
    });
    expect(await post(frozen.integrator, { cardId: frozen.cardId, amount: 5 })).toMatchObject({
      coveredFloat: 5,
    });
    expect(await readMoney(frozen)).toEqual({ card: 40, held: 0, float: 980, deficit: 0 });
    const closed = await subjectWith(0);
    const undone = await holdId(closed.integrator, { cardId: closed.cardId, amount: 60 });
    await reverse(closed.integrator, undone);
    await close(closed);
    expect(await capture(closed.integrator, undone, { amount: 60 })).toMatchObject({
      postedAs: "after_reversal",
      coveredFloat: 60,
    });
    expect(await readMoney(closed)).toEqual({ card: 0, held: 0, float: 40, deficit: 0 });
  });

  test("lists find it by how it was posted and by what covered it", async () => {
    const { integrator, cardId } = await subjectWith(20);
    await buy(integrator, { cardId, amount: 10 });
    const { id } = await post(integrator, { cardId, amount: 200 });
    const find = async (filter: object) =>
      (await listTransactions(reading(integrator), { ...filter, limit: 9 })).rows.map(
        (row) => row.id,
      );
    expect(await find({ postedAs: ["without_authorization"] })).toEqual([id]);
    expect(await find({ postedAs: ["after_expiry"] })).toEqual([]);
    expect(await find({ covered: ["deficit"] })).toEqual([id]);
    expect(await find({ covered: ["float", "deficit"] })).toEqual([id]);
  });
});

describe("a refund of a covered purchase", () => {
  test("first gives back what float and deficit paid, so that the cardholder gains nothing", async () => {
    const subject = await subjectWith(20);
    const { integrator, cardId } = subject;
    const { id } = await post(integrator, { cardId, amount: 200 });
    const refunded = (amount: number) =>
      refundPurchase(integrator, { cardId, transactionId: id, amount });
    await refunded(70);
    expect(await readMoney(subject)).toEqual({ card: 0, held: 0, float: 0, deficit: 10 });
    await refunded(130);
    expect(await readMoney(subject)).toEqual({ card: 100, held: 0, float: 20, deficit: 0 });
    await refunded(7);
    expect(await readMoney(subject)).toEqual({ card: 107, held: 0, float: 20, deficit: 0 });
  });

  test("to a closed card goes to the float, which repays its deficit", async () => {
    const subject = await subjectWith(0);
    const { integrator, cardId } = subject;
    await post(integrator, { cardId, amount: 150 });
    await close(subject);
    await refundPurchase(integrator, { cardId, amount: 150 });
    expect(await readMoney(subject)).toEqual({ card: 0, held: 0, float: 100, deficit: 0 });
  });
});

test("a discrepancy of the books stops questions, not facts", async () => {
  const subject = await subjectWith(100);
  const { integrator, cardId } = subject;
  const id = await holdId(integrator, { cardId, amount: 60 });
  const setUnbalanced = (value: string) =>
    testDatabase().db.execute(
      sql`update integrators set books_unbalanced_at = ${value}::timestamptz where id = ${integrator.id}`,
    );
  await setUnbalanced("now");
  expect(await buy(integrator, { cardId, amount: 1 })).toMatchObject({
    transaction: { declineReason: "integrator_suspended" },
  });
  await capture(integrator, id, { amount: 70 });
  await post(integrator, { cardId, amount: 5 });
  await refundPurchase(integrator, { cardId, amount: 5 });
  await testDatabase().db.execute(
    sql`update integrators set books_unbalanced_at = null where id = ${integrator.id}`,
  );
  expect(await readMoney(subject)).toEqual({ card: 30, held: 0, float: 100, deficit: 0 });
});

test("facts and credits that race for an empty float leave it consistent, and every fact is recorded once", async () => {
  const integrator = await newIntegrator(300);
  const cards = await Promise.all([0, 1, 2].map(() => newCard(integrator, 50)));
  const acts = cards.flatMap(({ id: cardId }) => [
    ...Array.from({ length: 6 }, () => post(integrator, { cardId, amount: 40 })),
    ...Array.from({ length: 4 }, () => move(integrator, { kind: "credit", cardId, amount: 20 })),
    ...Array.from({ length: 2 }, () => move(integrator, { kind: "top-up", amount: 30 })),
    refundPurchase(integrator, { cardId, amount: 25 }),
  ]);
  const results = await Promise.allSettled(acts);
  expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
  const float = await getFloat(reading(integrator));
  const balances = await Promise.all(
    cards.map(async ({ id }) => (await getCard(reading(integrator), id)).balance),
  );
  const total = float.balance - float.deficit + balances.reduce((sum, each) => sum + each, 0);
  expect(total).toBe(300 + 6 * 30 + 3 * 25 - 18 * 40);
});
