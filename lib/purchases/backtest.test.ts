import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { advance, DAY_S } from "#test/database/clock.ts";
import { newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { anyControls, anyZone } from "#test/limits/limits-steps.ts";
import { anyScript, perform } from "#test/limits/limits-script.ts";
import { controlAccount, controlCard, toControls, toLimit } from "#test/scene/spending-controls.ts";
import { buy, capture, eventsOf, hold, holdId, reverse } from "#test/scene/spending.ts";
import type { SpendingControls } from "#lib/cards/spending-controls.ts";
import { backtest } from "#lib/purchases/backtest.ts";
import type { Backtest } from "#lib/purchases/backtest.ts";

const AMPLE = 100_000_000;

function backtestOf(
  integrator: TestIntegrator,
  controls: SpendingControls,
  { cardId = null, days = 90 }: { cardId?: string | null; days?: number } = {},
): Promise<Backtest> {
  return backtest((statement) => statement(reading(integrator)), { controls, cardId, days });
}

async function newAccount(zone = "UTC") {
  const integrator = await newIntegrator(AMPLE);
  const { id: cardId } = await newCard(integrator, AMPLE / 2);
  await controlAccount(integrator, { timeZone: zone });
  return { integrator, cardId };
}

test("a backtest finds the declines of a second account that has these controls from the first day, one by one", async () => {
  let declined = 0;
  const property = fc.asyncProperty(
    anyControls,
    anyZone,
    anyScript,
    async (controls, zone, script) => {
      const recorded = await newAccount(zone);
      const first = await perform(script, recorded);
      const second = await newAccount(zone);
      await controlCard(second.integrator, second.cardId, controls);
      const expected = await perform(script, second, first.sent);
      const found = await backtestOf(recorded.integrator, controls, { cardId: recorded.cardId });
      const nameOf = new Map([...first.ids].map(([name, id]) => [id, name]));
      expect(first.declines).toEqual([]);
      expect(
        found.first.map(({ transactionId, reason, amount }) => [
          nameOf.get(transactionId),
          reason,
          amount,
        ]),
      ).toEqual(expected.declines.map(({ name, reason, amount }) => [name, reason, amount]));
      expect(found.questions).toBe(expected.questions);
      declined += expected.declines.length;
    },
  );
  await fc.assert(property, {
    numRuns: 25,
    interruptAfterTimeLimit: 120_000,
    markInterruptAsFailure: true,
  });
  expect(declined).toBeGreaterThan(25);
}, 300_000);

describe("a backtest", () => {
  test("says how many and what sum, by rule, by day, and by card, and which they are", async () => {
    const { integrator, cardId } = await newAccount();
    const { id: other } = await newCard(integrator, 10_000);
    const shop = { name: "Shop", mcc: "7995", city: null, country: null };
    await hold(integrator, { cardId, amount: 300, merchant: shop });
    await buy(integrator, { cardId, amount: 400 });
    await hold(integrator, { cardId: other, amount: 500 });
    await advance(integrator, DAY_S);
    await hold(integrator, { cardId, amount: 100 });
    const controls = toControls({
      blocked_categories: ["7995"],
      spending_limits: [toLimit(450, "all_time")],
    });
    const found = await backtestOf(integrator, controls);
    expect(found).toMatchObject({
      currency: "USD",
      isComplete: true,
      questions: 4,
      declined: { count: 3, amount: 900 },
      byReason: [
        { reason: "limit_exceeded", count: 2, amount: 600 },
        { reason: "category_blocked", count: 1, amount: 300 },
      ],
      byDay: [
        { count: 2, amount: 800 },
        { count: 1, amount: 100 },
      ],
      byCard: [
        { cardId, count: 2, amount: 400 },
        { cardId: other, count: 1, amount: 500 },
      ],
      cards: 2,
    });
    expect(found.first.map(({ amount }) => amount)).toEqual([300, 500, 100]);
    const [before, after] = found.byDay.map(({ day }) => Date.parse(day));
    expect((after ?? 0) - (before ?? 0)).toBe(DAY_S * 1_000);
    expect(await backtestOf(integrator, controls, { cardId: other })).toMatchObject({
      questions: 1,
      declined: { count: 1, amount: 500 },
    });
  });

  test("counts what preceded its days as it was recorded", async () => {
    const { integrator, cardId } = await newAccount();
    await hold(integrator, { cardId, amount: 300 });
    await buy(integrator, { cardId, amount: 300 });
    await advance(integrator, 3 * DAY_S);
    await hold(integrator, { cardId, amount: 100 });
    await hold(integrator, { cardId, amount: 100 });
    const found = (amount: number, days: number) =>
      backtestOf(integrator, toControls({ spending_limits: [toLimit(amount, "all_time")] }), {
        days,
      });
    expect(await found(700, 2)).toMatchObject({ questions: 2, declined: { count: 1 } });
    expect(await found(800, 2)).toMatchObject({ questions: 2, declined: { count: 0 } });
    expect(await found(700, 30)).toMatchObject({ questions: 4, declined: { count: 1 } });
  });

  test("gives back what is reversed, and what a final capture releases", async () => {
    const { integrator, cardId } = await newAccount();
    const captured = await holdId(integrator, { cardId, amount: 100 });
    await capture(integrator, captured, { amount: 10, final: true });
    const reversed = await holdId(integrator, { cardId, amount: 90 });
    await reverse(integrator, reversed, 40);
    await hold(integrator, { cardId, amount: 40 });
    const declined = async (amount: number) => {
      const controls = toControls({ spending_limits: [toLimit(amount, "all_time")] });
      return (await backtestOf(integrator, controls)).declined.count;
    };
    expect([await declined(100), await declined(99)]).toEqual([0, 1]);
  });

  test("over the API writes nothing, and names what is wrong with a question", async () => {
    const { integrator, cardId } = await newAccount();
    await hold(integrator, { cardId, amount: 300 });
    const ask = (body: object) =>
      call("POST /spending-controls/backtest", { key: integrator.apiKey, body });
    const spending_controls = { spending_limits: [{ amount: 299, interval: "monthly" }] };
    const before = await eventsOf(integrator, cardId);
    expect(await ask({ spending_controls, card_id: cardId, days: 1 })).toMatchObject({
      status: 200,
      json: {
        data: {
          questions: 1,
          declined: { count: 1, amount: 300 },
          first: [{ card_id: cardId, merchant_name: null, reason: "limit_exceeded", amount: 300 }],
        },
      },
    });
    expect(await eventsOf(integrator, cardId)).toEqual(before);
    await controlCard(integrator, cardId, toControls({ spending_limits: [toLimit(9, "daily")] }));
    expect(await ask({ spending_controls, card_id: cardId })).toMatchObject({ status: 200 });
    for (const days of [0, 91, 1.5]) {
      expect(await ask({ spending_controls, days })).toMatchObject({
        status: 422,
        json: { errors: { days: [expect.any(String)] } },
      });
    }
  });

  test("is of its own account only, and of a card that it has", async () => {
    const { integrator } = await newAccount();
    const { cardId } = await newAccount();
    await expect(backtestOf(integrator, toControls({}), { cardId })).rejects.toMatchObject({
      code: "card_not_found",
    });
  });
});
