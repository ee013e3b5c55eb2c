import { beforeAll, expect, test, vi } from "vitest";
import { move, newCard, newIntegrator, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy } from "#test/scene/spending.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { countFloatEntries, listFloatEntries } from "#lib/funds/float-statement.ts";
import type { FloatFilter } from "#lib/funds/float-statement.ts";

let integrator: TestIntegrator;
let cardId: string;
let otherId: string;
/** Between the third line and the fourth. */
let noon: Date;

beforeAll(async () => {
  integrator = await newIntegrator(10_000);
  cardId = (await newCard(integrator)).id;
  otherId = (await newCard(integrator)).id;
  await move(integrator, { kind: "credit", cardId, amount: 3_000, narrative: "Travel" });
  await move(integrator, { kind: "credit", cardId: otherId, amount: 500 });
  await nextMoment();
  noon = new Date();
  await nextMoment();
  await buy(integrator, { cardId, amount: 700, narrative: "Not the float's" });
  await move(integrator, { kind: "debit", cardId, amount: 200, narrative: "Too much" });
  await write(integrator, (ctx) => closeCard(ctx, otherId, { comment: null }));
  await move(integrator, { kind: "top-up", amount: 50 });
});

/** Ids encode milliseconds. */
async function nextMoment(): Promise<void> {
  const begun = Date.now();
  await vi.waitUntil(() => Date.now() > begun, { interval: 1 });
}

const list = (filter: FloatFilter, limit = 50) =>
  listFloatEntries(reading(integrator), { ...filter, limit });

test("a line carries the narrative of its movement, and a top-up none", async () => {
  expect((await list({})).rows.map(({ kind, narrative }) => [kind, narrative])).toEqual([
    ["float_top_up", null],
    ["card_sweep", null],
    ["card_debit", "Too much"],
    ["card_credit", null],
    ["card_credit", "Travel"],
    ["float_top_up", null],
  ]);
});

test.each<[string, () => FloatFilter, number[]]>([
  ["nothing", () => ({}), [6, 5, 4, 3, 2, 1]],
  ["top-ups", () => ({ kind: "float_top_up" }), [6, 1]],
  ["credits", () => ({ kind: "card_credit" }), [3, 2]],
  ["debits", () => ({ kind: "card_debit" }), [4]],
  ["returns", () => ({ kind: "card_sweep" }), [5]],
  ["a card", () => ({ cardId }), [4, 2]],
  ["another card", () => ({ cardId: otherId }), [5, 3]],
  ["debits of a card", () => ({ cardId, kind: "card_debit" }), [4]],
  ["debits of a card that has none", () => ({ cardId: otherId, kind: "card_debit" }), []],
  ["returns of a card", () => ({ cardId: otherId, kind: "card_sweep" }), [5]],
  ["top-ups of a card", () => ({ cardId, kind: "float_top_up" }), []],
  ["a beginning", () => ({ from: noon }), [6, 5, 4]],
  ["an end", () => ({ to: noon }), [3, 2, 1]],
  ["a beginning and an end", () => ({ from: noon, to: noon }), []],
  ["long ago", () => ({ to: new Date(0) }), []],
  ["the future", () => ({ from: new Date(Date.now() + 1_000_000) }), []],
  ["a kind and a beginning", () => ({ kind: "float_top_up", from: noon }), [6]],
  ["a kind and an end", () => ({ kind: "card_credit", to: noon }), [3, 2]],
  ["a card and a beginning", () => ({ cardId, from: noon }), [4]],
])("filtered by %s, lists and counts the lines that match", async (_what, filter, versions) => {
  const { rows } = await list(filter());
  expect(rows.map(({ version }) => version)).toEqual(versions);
  const expected = { rows: versions.length, isExact: true };
  expect(await countFloatEntries(reading(integrator), filter())).toEqual(expected);
});

test.each<[string, () => FloatFilter]>([
  ["nothing", () => ({})],
  ["a kind", () => ({ kind: "card_credit" })],
  ["a card", () => ({ cardId })],
  ["a beginning", () => ({ from: noon })],
])("filtered by %s, the pages together are the list", async (_what, filter) => {
  const paged: number[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ ...filter(), cursor }, 1);
    const { rows } = await countFloatEntries(reading(integrator), { ...filter(), cursor });
    expect(rows).toBe((await list({ ...filter(), cursor })).rows.length);
    paged.push(...page.rows.map(({ version }) => version));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(paged).toEqual((await list(filter())).rows.map(({ version }) => version));
});

test("another integrator's card filters everything out", async () => {
  const stranger = await newIntegrator(100);
  const page = await listFloatEntries(reading(stranger), { cardId, limit: 50 });
  expect(page.rows).toEqual([]);
});
