import { expect, test } from "vitest";
import { tellOfDecliningCards } from "#lib/transactions/declining-cards.ts";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { newStaff } from "#test/scene/staff.ts";
import { listTold } from "#test/scene/told.ts";

const sweep = () => tellOfDecliningCards(testDatabase().db);

async function decline({ apiKey: key }: TestIntegrator, cardId: string, times: number) {
  for (let time = 0; time < times; time += 1) {
    const body = { type: "deduct", amount: 90_000 };
    await call(`POST /cards/${cardId}/mock-transaction`, { key, body });
  }
}

test("five declines of a card within an hour are told once, to admins and operators, however many follow", async () => {
  const mine = await newIntegrator();
  for (const role of ["owner", "admin", "operator", "viewer"] as const) {
    await newStaff(mine.id, role);
  }
  const [card, other] = [await newCard(mine), await newCard(mine)];
  await decline(mine, card.id, 4);
  await decline(mine, other.id, 1);
  await sweep();
  expect(await listTold(mine.id)).toEqual([]);
  await decline(mine, card.id, 1);
  await Promise.all(Array.from({ length: 8 }, sweep));
  const told = await listTold(mine.id);
  expect(told.map(({ kind, role }) => `${kind} to ${role}`)).toEqual([
    "cards.declining to admin",
    "cards.declining to operator",
  ]);
  expect(told[0]?.lines).toEqual([
    expect.stringMatching(/^A card of .+ keeps declining purchases$/u),
    `The card ending in ${card.last4} declined 5 purchases within an hour. Most frequent reason: Insufficient funds.`,
  ]);
  await decline(mine, other.id, 5);
  await sweep();
  expect(await listTold(mine.id)).toHaveLength(2);
});

test("many cards are one message, which lists those that decline most", async () => {
  const mine = await newIntegrator();
  await newStaff(mine.id, "admin");
  const cards = await Promise.all(Array.from({ length: 12 }, () => newCard(mine)));
  await Promise.all(cards.map((card, index) => decline(mine, card.id, index === 7 ? 6 : 5)));
  await sweep();
  const [told] = await listTold(mine.id);
  expect(told?.lines).toHaveLength(12);
  expect(told?.lines[0]).toMatch(/^12 cards of .+ keep declining purchases$/u);
  expect(told?.lines[1]).toContain(`ending in ${cards[7]?.last4} declined 6 purchases`);
  expect(told?.lines.at(-1)).toBe("2 more cards do the same.");
});
