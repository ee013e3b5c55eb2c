import { describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { move, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import {
  capture,
  eventsOf,
  expireNow,
  hold,
  holdId,
  increment,
  refundPurchase,
  reverse,
} from "#test/scene/spending.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { getFloat } from "#lib/funds/float.ts";
import { expireHolds } from "#lib/purchases/hold-expiry.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";

/** A closed card keeps what its open authorizations hold, and nothing else. */

interface Subject {
  integrator: TestIntegrator;
  cardId: string;
  id: string;
}

const HELD = 60;

const close = ({ integrator, cardId }: Pick<Subject, "integrator" | "cardId">) =>
  write(integrator, (ctx) => closeCard(ctx, cardId, { comment: null }));

async function readMoney({ integrator, cardId }: Subject) {
  const { balance, held } = await getCard(reading(integrator), cardId);
  return { card: balance, held, float: (await getFloat(reading(integrator))).balance };
}

/** A card with 100 and an authorization of 60 that was closed, and an empty float before that. */
async function closedWithHold(expiresInS = 60): Promise<Subject> {
  const integrator = await newIntegrator(100);
  const { id: cardId } = await newCard(integrator, 100);
  const id = await holdId(integrator, { cardId, amount: HELD, expiresInS });
  await close({ integrator, cardId });
  const subject = { integrator, cardId, id };
  expect(await readMoney(subject)).toEqual({ card: HELD, held: HELD, float: 40 });
  return subject;
}

describe("a card that is closed while an authorization is open", () => {
  test("declines every new question", async () => {
    const subject = await closedWithHold();
    const { integrator, cardId, id } = subject;
    const declined = { transaction: { status: "declined", declineReason: "card_closed" } };
    expect(await hold(integrator, { cardId, amount: 10 })).toMatchObject(declined);
    expect(await increment(integrator, id, 1)).toMatchObject(declined);
    expect(await readMoney(subject)).toEqual({ card: HELD, held: HELD, float: 40 });
  });

  test("pays what was approved, and the rest of the hold goes to the float", async () => {
    const subject = await closedWithHold();
    expect(await capture(subject.integrator, subject.id, { amount: 25 })).toMatchObject({
      postedAs: "authorized",
      coveredFloat: null,
    });
    expect(await readMoney(subject)).toEqual({ card: 35, held: 35, float: 40 });
    await capture(subject.integrator, subject.id, { amount: 5, final: true });
    expect(await readMoney(subject)).toEqual({ card: 0, held: 0, float: 70 });
    const reported = (await eventsOf(subject.integrator, subject.cardId)).slice(-2);
    expect(reported.map(({ event }) => event)).toEqual(["card.transaction", "card.debited"]);
  });

  test("has what it cannot pay covered", async () => {
    const subject = await closedWithHold();
    expect(await capture(subject.integrator, subject.id, { amount: 75 })).toMatchObject({
      postedAs: "after_close",
      coveredFloat: 15,
    });
    expect(await readMoney(subject)).toEqual({ card: 0, held: 0, float: 25 });
  });

  test("gives what is reversed to the float, part by part", async () => {
    const subject = await closedWithHold();
    await reverse(subject.integrator, subject.id, 20);
    expect(await readMoney(subject)).toEqual({ card: 40, held: 40, float: 60 });
    await reverse(subject.integrator, subject.id);
    expect(await readMoney(subject)).toEqual({ card: 0, held: 0, float: 100 });
  });

  test.each(["by itself", "in the simulator"])(
    "gives what expires to the float, %s",
    async (how) => {
      const subject = await closedWithHold(how === "by itself" ? 0 : 60);
      const { integrator, cardId, id } = subject;
      await (how === "by itself"
        ? expireHolds(testDatabase().db)
        : expireNow(integrator, id, cardId));
      expect(await getTransaction(reading(integrator), id)).toMatchObject({ status: "expired" });
      expect(await readMoney(subject)).toEqual({ card: 0, held: 0, float: 100 });
    },
  );

  test("keeps its holds when a refund passes through it", async () => {
    const subject = await closedWithHold();
    const { integrator, cardId, id } = subject;
    await capture(integrator, id, { amount: 10 });
    await refundPurchase(integrator, { cardId, transactionId: id, amount: 10 });
    expect(await readMoney(subject)).toEqual({ card: 50, held: 50, float: 50 });
  });
});

test("whatever happens while a card closes, it keeps exactly what it holds, and the float has the rest", async () => {
  for (let round = 0; round < 8; round += 1) {
    const integrator = await newIntegrator(100);
    const { id: cardId } = await newCard(integrator, 100);
    const [captured, undone, open] = [
      await holdId(integrator, { cardId, amount: 20 }),
      await holdId(integrator, { cardId, amount: 20 }),
      await holdId(integrator, { cardId, amount: 20 }),
    ];
    const [approved] = await Promise.all([
      hold(integrator, { cardId, amount: 5 }),
      capture(integrator, captured, { amount: 15, final: true }),
      close({ integrator, cardId }),
      reverse(integrator, undone, 10),
      move(integrator, { kind: "debit", cardId, amount: 1 }).catch(() => null),
    ]);
    const later = approved.transaction.status === "authorized" ? 5 : 0;
    expect(await readMoney({ integrator, cardId, id: open })).toEqual({
      card: 30 + later,
      held: 30 + later,
      float: 55 - later,
    });
  }
});
