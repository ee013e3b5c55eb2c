import { expect, test } from "vitest";
import { newCard, newIntegrator, reading, write } from "#db/testing/fixtures.ts";
import { buy, capture, giveBack, holdId } from "#db/testing/spending.ts";
import { freezeCard } from "#lib/cards.ts";
import { getOverview } from "#lib/overview.ts";

test("spending counts what was paid and what was given back, each on its day", async () => {
  const integrator = await newIntegrator(10_000);
  const cardId = (await newCard(integrator, 5_000)).id;
  const { id } = (await buy(integrator, { cardId, amount: 1_000 })).transaction;
  await giveBack(integrator, { cardId, transactionId: id, amount: 250 });
  await capture(integrator, await holdId(integrator, { cardId, amount: 600 }), { amount: 400 });
  await holdId(integrator, { cardId, amount: 70 });
  const { spending, days } = await getOverview(reading(integrator));
  expect(spending.map(({ day }) => day)).toEqual(days.map(({ day }) => day));
  expect(spending).toHaveLength(30);
  expect(spending.at(-1)).toMatchObject({ spent: 1_400, refunded: 250 });
  expect(spending.slice(0, -1).every(({ spent, refunded }) => spent + refunded === 0)).toBe(true);
});

test("declines are counted by their reason, the most frequent first", async () => {
  const integrator = await newIntegrator(10_000);
  const cardId = (await newCard(integrator, 100)).id;
  await buy(integrator, { cardId, amount: 5_000 });
  await write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: null, comment: null }));
  await buy(integrator, { cardId, amount: 1 });
  await buy(integrator, { cardId, amount: 1 });
  const overview = await getOverview(reading(integrator));
  expect(overview.declines).toEqual([
    { reason: "card_frozen", count: 2 },
    { reason: "insufficient_funds", count: 1 },
  ]);
  expect(overview.isUsed).toBe(true);
});

test("another integrator's cards add nothing", async () => {
  const busy = await newIntegrator(10_000);
  const cardId = (await newCard(busy, 100)).id;
  await buy(busy, { cardId, amount: 50 });
  await buy(busy, { cardId, amount: 5_000 });
  const quiet = await newIntegrator(10_000);
  await newCard(quiet, 100);
  const overview = await getOverview(reading(quiet));
  expect(overview.declines).toEqual([]);
  expect(overview.spending.every(({ spent }) => spent === 0)).toBe(true);
  expect(overview.isUsed).toBe(false);
});
