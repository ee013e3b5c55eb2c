import { beforeAll, describe, expect, test } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { move, newIntegrator, newCard, reading, write } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { hold } from "#test/scene/spending.ts";
import { flushApiLog } from "#lib/api/edge/api-log.ts";
import { createVirtualCard } from "#lib/cards/card-issue.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { getCardholderTotals } from "#lib/cards/cardholder-cards.ts";
import { countCardholders, getHolderOf, listCardholderPage } from "#lib/cards/cardholder-reads.ts";
import { closeCard } from "#lib/funds/close-card.ts";
import { listCardTimeline, listCardsFreezes } from "#lib/transactions/card-activity.ts";
import type { TimelineEntry } from "#lib/transactions/card-activity.ts";

let integrator: TestIntegrator;
let first: Card;
let second: Card;
let closed: Card;
let other: Card;

beforeAll(async () => {
  integrator = await newIntegrator(100_000);
  other = await newCard(integrator, 7);
  first = await newCard(integrator, 1_000);
  [second, closed] = [await another(first), await another(first)];
  await move(integrator, { kind: "credit", cardId: second.id, amount: 500 });
  await hold(integrator, { cardId: second.id, amount: 120 });
  await freeze(first, "lost");
  await call(`PATCH /cards/${first.id}/unfreeze`, { key: integrator.apiKey });
  await freeze(second, "stolen");
  await write(integrator, (ctx) => closeCard(ctx, closed.id, { comment: null }));
  for (const { id } of [first, second]) {
    await call(`POST /cards/${id}/notes`, { key: integrator.apiKey, body: { comment: "Called" } });
  }
  await call("PATCH /cards/debit/balance", {
    key: integrator.apiKey,
    body: { card_id: first.id, amount: 1_001 },
  });
  await flushApiLog();
});

function another({ cardholderId }: Card): Promise<Card> {
  return write(integrator, (ctx) =>
    createVirtualCard(ctx, {
      cardholderId,
      currency: "USD",
      designType: "midnight",
      singleUse: false,
      validityDays: 30,
      metadata: {},
    }),
  );
}

async function freeze({ id }: Card, reason: string): Promise<void> {
  await call(`PATCH /cards/${id}/freeze`, { key: integrator.apiKey, body: { reason } });
}

test("the holder of a card is found by the card, and never that of another account's card", async () => {
  const holder = await getHolderOf(reading(integrator), second.id);
  expect(holder).toMatchObject({ id: first.cardholderId, erasedAt: null });
  const stranger = await newIntegrator(0);
  await expect(getHolderOf(reading(stranger), second.id)).rejects.toMatchObject({
    code: "card_not_found",
  });
});

test("a cardholder's cards are counted by status, and their balances are added up exactly", async () => {
  const totals = await getCardholderTotals(reading(integrator), first.cardholderId);
  expect(totals).toEqual({
    cards: { active: 1, frozen: 1, closed: 1 },
    balances: [{ currency: "USD", balance: 1_500n, available: 1_380n }],
  });
});

test("another integrator's cardholder has nothing", async () => {
  const stranger = await newIntegrator();
  const totals = await getCardholderTotals(reading(stranger), first.cardholderId);
  expect(totals).toEqual({ cards: { active: 0, frozen: 0, closed: 0 }, balances: [] });
});

test("the list counts each cardholder's cards, and its pages follow each other", async () => {
  const ctx = reading(integrator);
  const page = await listCardholderPage(ctx, { limit: 1 });
  expect(page.rows).toMatchObject([{ id: first.cardholderId, cards: { rows: 3, isExact: true } }]);
  expect(await countCardholders(ctx, { limit: 1 })).toEqual({ rows: 2, isExact: true });
  const rest = { limit: 1, cursor: String(page.nextCursor) };
  expect(await countCardholders(ctx, rest)).toEqual({ rows: 1, isExact: true });
  const next = await listCardholderPage(ctx, rest);
  expect(next).toMatchObject({
    rows: [{ id: other.cardholderId, cards: { rows: 1, isExact: true } }],
    nextCursor: null,
  });
});

const own = () => [first.id, second.id, closed.id];

function toWords(each: TimelineEntry): string {
  const name = ["first", "second", "closed"][own().indexOf(each.cardId)];
  if (each.type === "state_change") {
    return `${name} ${each.stateChange.from} to ${each.stateChange.to}`;
  }
  if (each.type === "note") {
    return `${name} noted ${each.note.comment}`;
  }
  return "transaction" in each
    ? `${name} ${each.transaction.type} ${each.transaction.amount}`
    : `${name} ${each.refusal.code}`;
}

describe("the timeline of several cards", () => {
  test("has everything in one order, page by page, and nothing of other cards", async () => {
    const words: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listCardTimeline(reading(integrator), own(), { limit: 3, cursor });
      expect(page.rows.length).toBeLessThanOrEqual(3);
      words.push(...page.rows.map(toWords));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(words).toEqual([
      "first insufficient_card_balance",
      "second noted Called",
      "first noted Called",
      "closed active to closed",
      "second active to frozen",
      "first frozen to active",
      "first active to frozen",
      "second deduct 120",
      "second credit 500",
      "closed null to active",
      "second null to active",
      "first credit 1000",
      "first null to active",
    ]);
  });

  test("of one card it is the card's own, of none it is empty", async () => {
    const [one, none] = [
      await listCardTimeline(reading(integrator), [closed.id], { limit: 9 }),
      await listCardTimeline(reading(integrator), [], { limit: 9 }),
    ];
    expect(one.rows.map(toWords)).toEqual(["closed active to closed", "closed null to active"]);
    expect(none).toEqual({ rows: [], nextCursor: null });
  });

  test("can be of freezes alone", async () => {
    const { rows } = await listCardsFreezes(reading(integrator), own(), { limit: 9 });
    expect(rows.map(toWords)).toEqual([
      "second active to frozen",
      "first frozen to active",
      "first active to frozen",
    ]);
  });

  test("another integrator sees none of it", async () => {
    const stranger = await newIntegrator();
    expect((await listCardTimeline(reading(stranger), own(), { limit: 9 })).rows).toEqual([]);
  });
});
