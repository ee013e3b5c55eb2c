import { sql } from "drizzle-orm";
import { createScaledBooks } from "#test/database/scaled-books.ts";
import { describe, expect, test } from "vitest";
import { move, newCard, newIntegrator, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { testDatabase } from "#test/database/database.ts";
import { countCards, listCards } from "#lib/cards/card-reads.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { readMoment } from "#lib/base/moment.ts";
import { countTransactions, listTransactions } from "#lib/transactions/transactions.ts";
import type { TransactionFilter } from "#lib/transactions/transaction-filter.ts";

/** The narratives that a filter lists, of which there are as many as it counts. */
async function narratives(integrator: TestIntegrator, filter: Partial<TransactionFilter>) {
  const query = { limit: 10, ...filter };
  const { rows } = await listTransactions(reading(integrator), query);
  expect(await countTransactions(reading(integrator), query)).toEqual({
    rows: rows.length,
    isExact: true,
  });
  return rows.map(({ narrative }) => narrative);
}

async function newHistory() {
  const integrator = await newIntegrator(1_000);
  const card = await newCard(integrator);
  for (const [kind, narrative] of [
    ["credit", "one"],
    ["debit", "two"],
    ["credit", "three"],
    ["debit", "four"],
    ["credit", "five 100% off"],
  ] as const) {
    await move(integrator, { kind, cardId: card.id, amount: 5, narrative });
  }
  return { integrator, card };
}

describe("transactions are listed newest first", () => {
  test("by type, by status, and by both, across pages", async () => {
    const { integrator } = await newHistory();
    expect(await narratives(integrator, { types: ["credit"] })).toEqual([
      "five 100% off",
      "three",
      "one",
    ]);
    expect(await narratives(integrator, { statuses: ["settled"], types: ["debit"] })).toEqual([
      "four",
      "two",
    ]);
    expect(await narratives(integrator, { statuses: ["declined"] })).toEqual([]);
    const first = await listTransactions(reading(integrator), { limit: 2, statuses: ["settled"] });
    expect(first.rows).toHaveLength(2);
    expect(
      await narratives(integrator, { statuses: ["settled"], cursor: first.nextCursor ?? "" }),
    ).toEqual(["three", "two", "one"]);
  });

  test("within a time range, combined with any other filter", async () => {
    const { integrator, card } = await newHistory();
    const { rows } = await listTransactions(reading(integrator), { limit: 10 });
    const [from, to] = [rows[3]?.createdAt, rows[1]?.createdAt];
    expect(from?.getTime()).toBeLessThan(to?.getTime() ?? 0);
    expect(await narratives(integrator, { from, to })).toEqual(["three", "two"]);
    expect(await narratives(integrator, { from, to, types: ["debit"] })).toEqual(["two"]);
    expect(await narratives(integrator, { from, cardId: card.id, types: ["credit"] })).toEqual([
      "five 100% off",
      "three",
    ]);
    expect(await narratives(integrator, { to: new Date(0) })).toEqual([]);
    expect(await narratives(integrator, { from: new Date("9999-12-31T00:00:00Z") })).toEqual([]);
  });

  test("by part of the narrative, or by one or two letters at the start of a word", async () => {
    const { integrator } = await newHistory();
    expect(await narratives(integrator, { search: "HRE" })).toEqual(["three"]);
    expect(await narratives(integrator, { search: "0% o" })).toEqual(["five 100% off"]);
    expect(await narratives(integrator, { search: "t" })).toEqual(["three", "two"]);
    expect(await narratives(integrator, { search: "of" })).toEqual(["five 100% off"]);
    expect(await narratives(integrator, { search: "hr" })).toEqual([]);
    expect(await narratives(integrator, { search: "_" })).toEqual([]);
  });
});

test("cards of one status are listed newest first, across pages", async () => {
  const integrator = await newIntegrator();
  const ids = [];
  for (let turn = 0; turn < 3; turn += 1) {
    ids.unshift((await newCard(integrator)).id);
  }
  const first = await listCards(reading(integrator), { limit: 2, statuses: ["active"] });
  expect(first.rows.map(({ id }) => id)).toEqual(ids.slice(0, 2));
  const rest = await listCards(reading(integrator), {
    limit: 2,
    statuses: ["active"],
    search: "osei",
    cursor: first.nextCursor ?? "",
  });
  expect(rest.rows.map(({ id }) => id)).toEqual(ids.slice(2));
});

test("an id sorts between the first ids of its millisecond and of the next", async () => {
  const { at, newId } = await readMoment(testDatabase().db);
  const before = firstIdAt(at.getTime());
  const id = newId();
  const [row] = await testDatabase().db.execute(
    sql`select ${before}::uuid < ${id}::uuid and ${id}::uuid < ${firstIdAt(at.getTime() + 1)}::uuid as between`,
  );
  expect(row).toEqual({ between: true });
});

test("counting ends at 1,000, and says that there are more", async () => {
  const { url: appUrl, ownerUrl } = testDatabase();
  const scale = { cards: 1_001, transactionsPerCard: 1 };
  const made = await createScaledBooks({ appUrl, ownerUrl }, scale, { unguarded: true });
  const other = await newIntegrator();
  const ctx = reading({ ...other, actor: { ...other.actor, integratorId: made.integratorId } });
  expect(await countTransactions(ctx, { limit: 1 })).toEqual({ rows: 1_000, isExact: false });
  expect(await countCards(ctx, { limit: 1 })).toEqual({ rows: 1_000, isExact: false });
  const { rows } = await listCards(ctx, { limit: 1 });
  const cursor = rows[0]?.id;
  expect(await countCards(ctx, { limit: 1, cursor })).toEqual({ rows: 1_000, isExact: true });
});
