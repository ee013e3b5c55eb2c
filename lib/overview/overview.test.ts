import { expect, test } from "vitest";
import { freezeCard, move, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import { buy, capture, refundPurchase, holdId } from "#test/scene/spending.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { getOverview } from "#lib/overview/overview.ts";

test("today counts float movements, purchases, and refunds", async () => {
  const integrator = await newIntegrator(10_000);
  const cardId = (await newCard(integrator, 5_000)).id;
  const { id } = (await buy(integrator, { cardId, amount: 1_000 })).transaction;
  await refundPurchase(integrator, { cardId, transactionId: id, amount: 250 });
  await capture(integrator, await holdId(integrator, { cardId, amount: 600 }), { amount: 400 });
  await holdId(integrator, { cardId, amount: 70 });
  const { days } = await getOverview(reading(integrator), "UTC");
  expect(days).toHaveLength(30);
  expect(days.at(-1)).toEqual({
    day: new Date().toISOString().slice(0, 10),
    inflow: 10_000,
    outflow: 5_000,
    inflowFromCards: 0,
    closing: 5_000,
    spent: 1_400,
    refunded: 250,
  });
  expect(days.at(-2)).toMatchObject({ inflow: 0, outflow: 0, closing: 0, spent: 0, refunded: 0 });
});

test("what cards return, by a debit or by closing, counts separately from top-ups; one day is no forecast", async () => {
  const integrator = await newIntegrator(10_000);
  const one = (await newCard(integrator, 3_000)).id;
  const two = (await newCard(integrator, 2_000)).id;
  await move(integrator, { kind: "debit", cardId: one, amount: 2_500 });
  await write(integrator, (ctx) => closeCard(ctx, two, { comment: null }));
  await move(integrator, { kind: "top-up", amount: 50 });
  const { days, forecast } = await getOverview(reading(integrator), "UTC");
  expect(days.at(-1)).toMatchObject({ inflow: 14_550, outflow: 5_000, inflowFromCards: 4_500 });
  expect(forecast).toBe(null);
});

test("declines are counted by reason, most frequent first", async () => {
  const integrator = await newIntegrator(10_000);
  const cardId = (await newCard(integrator, 100)).id;
  await buy(integrator, { cardId, amount: 5_000 });
  await write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: null, comment: null }));
  await buy(integrator, { cardId, amount: 1 });
  await buy(integrator, { cardId, amount: 1 });
  const { decisions, isUsed } = await getOverview(reading(integrator), "UTC");
  expect(decisions.declines).toEqual([
    { reason: "card_frozen", count: 2 },
    { reason: "insufficient_funds", count: 1 },
  ]);
  expect(decisions.rate).toEqual({ declined: 3, decided: 3, isPartial: false });
  expect(isUsed).toBe(true);
});

test("another integrator's cards add nothing", async () => {
  const busy = await newIntegrator(10_000);
  const cardId = (await newCard(busy, 100)).id;
  await buy(busy, { cardId, amount: 50 });
  await buy(busy, { cardId, amount: 5_000 });
  const quiet = await newIntegrator(10_000);
  await newCard(quiet, 100);
  const overview = await getOverview(reading(quiet), "UTC");
  expect(overview.decisions.declines).toEqual([]);
  expect(overview.decisions.rate.decided).toBe(0);
  expect(overview.days.every(({ spent }) => spent === 0)).toBe(true);
  expect(overview.isUsed).toBe(false);
});
