import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import {
  freezeCard,
  move,
  newCard,
  newIntegrator,
  reading,
  unfreezeCard,
  write,
} from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { findRollupFaults } from "#test/database/rollup-faults.ts";
import { buy, refundPurchase } from "#test/scene/spending.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { getOverview } from "#lib/overview/overview.ts";
import { rollUp } from "#lib/overview/rollup.ts";
import { inSnapshot } from "#db/long-transactions.ts";

/** Small, so that every sweep has several batches and ends amid a transaction's rows. */
const BATCH_ROWS = 3;
const ROUNDS = 6;

/** One of everything that the overview counts. */
async function live(integrator: TestIntegrator): Promise<void> {
  const { id: cardId } = await newCard(integrator, 500);
  const merchant = { name: "Bistro", mcc: "5812", city: null, country: "FR" };
  const bought = await buy(integrator, { cardId, amount: 100, merchant });
  const { id: transactionId } = bought.transaction;
  await refundPurchase(integrator, { cardId, transactionId, amount: 40 });
  await write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: null, comment: null }));
  await write(integrator, (ctx) => unfreezeCard(ctx, cardId, { comment: null }));
  await move(integrator, { kind: "debit", cardId, amount: 7 });
  await write(integrator, (ctx) => freezeCard(ctx, cardId, { reason: null, comment: null }));
  await write(integrator, (ctx) => closeCard(ctx, cardId, { comment: null }));
  await newCard(integrator, 1);
}

/** Rolls up until nothing is left; another one that is faster at the same time is no fault. */
async function rollUpAll(): Promise<void> {
  let isBehind = true;
  while (isBehind) {
    isBehind = await rollUp(testDatabase().db, BATCH_ROWS).catch(() => true);
  }
}

test("the sums equal those over all rows at any moment, while others write and two processes roll up", async () => {
  const { db } = testDatabase();
  const integrators = [await newIntegrator(100_000), await newIntegrator(100_000)];
  const written = new AbortController();
  const writing = Promise.all(
    integrators.map(async (integrator) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        await live(integrator);
      }
    }),
  ).finally(() => written.abort());
  const sweeping = Promise.all(
    [1, 2].map(async () => {
      while (!written.signal.aborted) {
        await rollUpAll();
      }
    }),
  );
  while (!written.signal.aborted) {
    expect(await inSnapshot(db, findRollupFaults)).toEqual([]);
  }
  await Promise.all([writing, sweeping]);
  await rollUpAll();
  expect(await findRollupFaults(db)).toEqual([]);
  const { days, cards } = await getOverview(
    reading(integrators[0] ?? (await newIntegrator())),
    "UTC",
  );
  expect(cards).toEqual({ active: ROUNDS, frozen: 0, closed: ROUNDS });
  expect(days.at(-1)).toMatchObject({
    inflow: 100_000 + ROUNDS * 440,
    inflowFromCards: ROUNDS * 440,
    outflow: ROUNDS * 501,
    spent: ROUNDS * 100,
    refunded: ROUNDS * 40,
  });
});

test("a transaction that began before a rollup and commits after it is counted, once", async () => {
  const integrator = await newIntegrator(1_000);
  const other = await newIntegrator(10_000);
  const { id: cardId } = await newCard(integrator);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: written, resolve: hold } = Promise.withResolvers<void>();
  const slow = write(integrator, async (ctx) => {
    await freezeCard(ctx, cardId, { reason: null, comment: null });
    hold();
    await released;
  });
  await written;
  await live(other);
  await rollUpAll();
  expect((await getOverview(reading(integrator), "UTC")).cards).toMatchObject({
    active: 1,
    frozen: 0,
  });
  release();
  await slow;
  expect((await getOverview(reading(integrator), "UTC")).cards).toMatchObject({
    active: 0,
    frozen: 1,
  });
  await rollUpAll();
  expect((await getOverview(reading(integrator), "UTC")).cards).toMatchObject({
    active: 0,
    frozen: 1,
  });
  expect((await getOverview(reading(other), "UTC")).cards).toMatchObject({ active: 1, closed: 1 });
});
