import { and, eq } from "drizzle-orm";
import { readRecorded } from "#test/scene/recorded-events.ts";
import { describe, expect, test } from "vitest";
import {
  freezeCard,
  move,
  moveMany,
  newCard,
  newIntegrator,
  reading,
  untilInTime,
  write,
} from "#test/scene/fixtures.ts";
import { events } from "#db/schema/events.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { getFloat } from "#lib/funds/float.ts";
import { listFloatEntries } from "#lib/funds/float-statement.ts";
import { updateSettings } from "#lib/integrators/integrators.ts";
import { listCardTransactions } from "#lib/transactions/transactions.ts";

describe("moving funds", () => {
  test("a credit takes from the float exactly what it adds to the card", async () => {
    const integrator = await newIntegrator(10_000);
    const card = await newCard(integrator);
    const result = await move(integrator, { kind: "credit", cardId: card.id, amount: 2_500 });
    expect(result).toMatchObject({
      done: {
        card: { balance: 2_500, available: 2_500 },
        float: { balance: 7_500, available: 7_500 },
      },
    });
    expect(await getFloat(reading(integrator))).toMatchObject({ balance: 7_500 });
    expect(await getCard(reading(integrator), card.id)).toMatchObject({ balance: 2_500 });
  });

  test("a batch answers each request as if it were alone, including refusals", async () => {
    const integrator = await newIntegrator(100);
    const [one, two] = [await newCard(integrator), await newCard(integrator)];
    const stranger = await newCard(await newIntegrator());
    const results = await moveMany(integrator, [
      { kind: "credit", cardId: one.id, amount: 60 },
      { kind: "credit", cardId: two.id, amount: 60 },
      { kind: "credit", cardId: stranger.id, amount: 1 },
      { kind: "debit", cardId: one.id, amount: "all" },
      { kind: "credit", cardId: two.id, amount: 100 },
      { kind: "debit", cardId: one.id, amount: "all" },
    ]);
    expect(
      results.map((result) =>
        "done" in result
          ? [result.done.card?.balance, result.done.float.balance]
          : result.refusal.code,
      ),
    ).toEqual([
      [60, 40],
      "insufficient_float",
      "card_not_found",
      [0, 100],
      [100, 0],
      "insufficient_card_balance",
    ]);
  });

  test("a refusal includes the amounts", async () => {
    const integrator = await newIntegrator(1_234);
    const card = await newCard(integrator);
    const result = await move(integrator, { kind: "credit", cardId: card.id, amount: 5_000 });
    expect("done" in result ? "" : result.refusal.detail).toBe(
      "Needs $50.00, but the float has $12.34 available.",
    );
  });

  test("each crossing of the threshold is reported once, down and up, in a batch as in single requests", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator);
    await write(integrator, (ctx) => updateSettings(ctx, { lowBalanceThreshold: 50 }));
    const shared = { cardId: card.id } as const;
    await moveMany(integrator, [
      { ...shared, kind: "credit", amount: 50 },
      { ...shared, kind: "credit", amount: 1 },
      { ...shared, kind: "credit", amount: 1 },
      { ...shared, kind: "debit", amount: 2 },
      { ...shared, kind: "debit", amount: 1 },
      { ...shared, kind: "credit", amount: 1_000 },
      { ...shared, kind: "credit", amount: 51 },
    ]);
    await write(integrator, (ctx) => closeCard(ctx, card.id, { comment: null }));
    const recorded = await readRecorded(
      and(eq(events.integratorId, integrator.id), eq(events.subjectType, "float")),
    );
    const crossings = recorded
      .filter(({ event }) => /low-balance|recovered/u.test(event))
      .map(({ event, data }) => [event, data]);
    expect(crossings).toEqual([
      ["float.low-balance", { balance: 49, threshold: 50 }],
      ["float.recovered", { balance: 50, threshold: 50 }],
      ["float.low-balance", { balance: 0, threshold: 50 }],
      ["float.recovered", { balance: 100, threshold: 50 }],
    ]);
  });

  test("fifty concurrent debits of 10 from a card with 100: ten succeed", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator, 100);
    const results = await Promise.all(
      Array.from({ length: 50 }, () =>
        untilInTime(() => move(integrator, { kind: "debit", cardId: card.id, amount: 10 })),
      ),
    );
    expect(results.filter((result) => "done" in result)).toHaveLength(10);
    expect(await getFloat(reading(integrator))).toMatchObject({ balance: 100 });
  });

  test("opposite moves between the same accounts from 32 clients never deadlock and lose nothing", async () => {
    const integrator = await newIntegrator(100_000);
    const cards = [await newCard(integrator, 1_000), await newCard(integrator, 1_000)];
    await Promise.all(
      Array.from({ length: 32 }, async (_, client) => {
        for (let turn = 0; turn < 8; turn += 1) {
          const [first, second] = (client + turn) % 2 ? cards : cards.toReversed();
          await untilInTime(() =>
            moveMany(integrator, [
              { kind: "credit", cardId: first?.id, amount: 7 },
              { kind: "debit", cardId: second?.id, amount: 7 },
            ]),
          );
        }
      }),
    );
    const balances = await Promise.all(cards.map(({ id }) => getCard(reading(integrator), id)));
    const float = await getFloat(reading(integrator));
    expect(balances.reduce((sum, { balance }) => sum + balance, float.balance)).toBe(100_000);
  });

  test("a frozen card can be credited and debited, a closed card cannot", async () => {
    const integrator = await newIntegrator(100);
    const card = await newCard(integrator, 50);
    await write(integrator, (ctx) => freezeCard(ctx, card.id, { reason: "lost", comment: null }));
    expect(await move(integrator, { kind: "credit", cardId: card.id, amount: 10 })).toMatchObject({
      done: { card: { status: "frozen" } },
    });
    expect(await move(integrator, { kind: "debit", cardId: card.id, amount: 5 })).toMatchObject({
      done: { card: { status: "frozen" } },
    });
    const closed = await write(integrator, (ctx) => closeCard(ctx, card.id, { comment: null }));
    expect(closed).toMatchObject({ status: "closed", balance: 0 });
    expect(await getFloat(reading(integrator))).toMatchObject({ balance: 100 });
    expect(await move(integrator, { kind: "credit", cardId: card.id, amount: 1 })).toMatchObject({
      refusal: { code: "card_closed" },
    });
  });

  test("the balances of the statement and of the card's transactions chain", async () => {
    const integrator = await newIntegrator(500);
    const card = await newCard(integrator);
    for (const amount of [10, 20, 30]) {
      await move(integrator, {
        kind: "credit",
        cardId: card.id,
        amount,
        narrative: `Part ${amount}`,
      });
    }
    const { rows } = await listFloatEntries(reading(integrator), { limit: 2 });
    expect(rows.map(({ amount, balanceAfter, cardId }) => [amount, balanceAfter, cardId])).toEqual([
      [-30, 440, card.id],
      [-20, 470, card.id],
    ]);
    const listed = await listCardTransactions(reading(integrator), card.id, { limit: 2 });
    expect(
      listed.rows.map((row) => [row.cardBalanceBefore, row.cardBalanceAfter, row.narrative]),
    ).toEqual([
      [30, 60, "Part 30"],
      [10, 30, "Part 20"],
    ]);
    expect(listed.nextPage).toBe(2);
  });
});
