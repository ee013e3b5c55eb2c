import { expect, test } from "vitest";
import { newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import {
  buy,
  capture,
  declineFor,
  hold,
  holdId,
  increment,
  post,
  refundPurchase,
  reverse,
} from "#test/scene/spending.ts";
import { countDecisions } from "./decisions.ts";

const EPOCH = new Date(0);

test("every request is decided once, however it is captured, reversed, or refunded; what was never asked is not counted", async () => {
  const integrator = await newIntegrator(100_000);
  const cardId = (await newCard(integrator, 10_000)).id;
  const { id: transactionId } = (await buy(integrator, { cardId, amount: 1_000 })).transaction;
  await refundPurchase(integrator, { cardId, transactionId, amount: 250 });
  const captured = await holdId(integrator, { cardId, amount: 600 });
  await capture(integrator, captured, { amount: 100, final: false });
  await capture(integrator, captured, { amount: 200 });
  await reverse(integrator, await holdId(integrator, { cardId, amount: 70 }));
  const held = await holdId(integrator, { cardId, amount: 30 });
  await increment(integrator, held, 1_000_000);
  await hold(integrator, { cardId, amount: 0 });
  const { id: declined } = await declineFor(integrator, "card_frozen", { cardId, amount: 1 });
  await capture(integrator, declined, { amount: 1 });
  await post(integrator, { cardId, amount: 5 });
  const { rate, unapproved } = await countDecisions(reading(integrator), EPOCH);
  expect(rate).toEqual({ declined: 2, decided: 7, isPartial: false });
  expect(unapproved).toBe(2);
});

test("the rate is that of the latest transactions, and says so if there are more", async () => {
  const integrator = await newIntegrator(100_000);
  const cardId = (await newCard(integrator)).id;
  await buy(integrator, { cardId, amount: 1 });
  await buy(integrator, { cardId, amount: 1 });
  const latest = (count: number) => countDecisions(reading(integrator), EPOCH, count);
  expect((await latest(3)).rate).toEqual({ declined: 2, decided: 2, isPartial: false });
  expect((await latest(1)).rate).toEqual({ declined: 1, decided: 1, isPartial: true });
  expect((await countDecisions(reading(integrator), new Date(Date.now() + 60_000))).rate).toEqual({
    declined: 0,
    decided: 0,
    isPartial: false,
  });
});
