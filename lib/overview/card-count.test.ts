import { createScaledBooks } from "#bench/scaled-books.ts";
import { expect, test } from "vitest";
import { testDatabase } from "#db/testing/database.ts";
import { freezeCard, newCard, newIntegrator, reading, write } from "#db/testing/fixtures.ts";
import { listCards } from "#lib/cards/card-reads.ts";
import { countListedCards } from "#lib/overview/card-count.ts";

test("all cards and those in one status are counted exactly, others up to 1,000", async () => {
  const { url: appUrl, ownerUrl } = testDatabase();
  const scale = { cards: 1_200, transactionsPerCard: 1 };
  const made = await createScaledBooks({ appUrl, ownerUrl }, scale, { unguarded: true });
  const other = await newIntegrator();
  const integrator = { ...other, actor: { ...other.actor, integratorId: made.integratorId } };
  const ctx = reading(integrator);
  const { rows } = await listCards(ctx, { limit: 1, statuses: ["active"] });
  expect(await countListedCards(ctx, { limit: 1 })).toEqual({ rows: 1_200, isExact: true });
  const [id = "", cursor = id] = rows.map((card) => card.id);
  const active = await countListedCards(ctx, { limit: 1, statuses: ["active"] });
  expect(active).toMatchObject({ isExact: true });
  expect(active.rows).toBeGreaterThan(1_000);
  await write(integrator, (writing) => freezeCard(writing, id, { reason: null, comment: null }));
  expect(await countListedCards(ctx, { limit: 1, statuses: ["active"] })).toEqual({
    rows: active.rows - 1,
    isExact: true,
  });
  expect(await countListedCards(ctx, { limit: 1, cursor })).toEqual({
    rows: 1_000,
    isExact: false,
  });
});

test("an account's count has none of another account's cards", async () => {
  const integrator = await newIntegrator();
  await newCard(integrator);
  await newCard(await newIntegrator());
  expect(await countListedCards(reading(integrator), { limit: 1 })).toEqual({
    rows: 1,
    isExact: true,
  });
});
