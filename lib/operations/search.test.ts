import { and, eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { call } from "#test/scene/api-client.ts";
import { newCard, newIntegrator, newScopedKey } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { buy, holdId } from "#test/scene/spending.ts";
import { cards as cardTable } from "#db/schema/cards.ts";

/** What a person has in hand finds what they mean, however it is written. */

let mine: TestIntegrator;

/** José's and Mei's. Random digits could also be an amount, such as 2500, and find what cost that much, as they should. */
const LAST4 = "9182";
const MEIS_LAST4 = "9183";

/** José's. */
const EMAIL = "Jose.M+cards@example.com";

const shop = (name: string) => ({ name, mcc: null, city: null, country: null });

beforeAll(async () => {
  mine = await newIntegrator(1_000_000);
  const jose = await newCard(mine, 200_000, {
    firstName: "José",
    lastName: "Mu\u0308ller",
    email: EMAIL,
  });
  const mei = await newCard(mine, 200_000, { firstName: "Mei", lastName: "Tanaka" });
  await renumber(jose.id, LAST4);
  await renumber(mei.id, MEIS_LAST4);
  await buy(mine, { cardId: jose.id, amount: 741, narrative: "Harbour Coffee" });
  const merchant = shop("MÜNCHEN Straßenbahn");
  await holdId(mine, { cardId: jose.id, amount: 123_450, merchant });
  await buy(mine, { cardId: mei.id, amount: 2_500, narrative: "Ｔｅａ house, 50% off" });
});

async function renumber(cardId: string, last4: string): Promise<void> {
  await testDatabase()
    .db.update(cardTable)
    .set({ last4 })
    .where(and(eq(cardTable.integratorId, mine.id), eq(cardTable.id, cardId)));
}

async function find(path: string, search: string, key = mine.apiKey): Promise<unknown> {
  const reply = await call(`GET ${path}?${new URLSearchParams({ search })}`, { key });
  expect(reply.status).toBe(200);
  return reply.json;
}

describe("transactions", () => {
  const COFFEE = 741;
  const TRAM = 123_450;
  const TEA = 2_500;
  const FUNDED = 200_000;

  test.each([
    ["coffee harbour", [COFFEE]],
    ["HARBOUR coffee", [COFFEE]],
    ["munchen", [TRAM]],
    ["MUNCHEN", [TRAM]],
    ["münchen strassenbahn", [TRAM]],
    ["STRAẞENBAHN", [TRAM]],
    ["Mu\u0308nchen", [TRAM]],
    ["tea", [TEA]],
    ["house tea 50%", [TEA]],
    ["50_", []],
    ["$7.41", [COFFEE]],
    ["7.41", [COFFEE]],
    ["-7.41", [COFFEE]],
    ["−$7.41", [COFFEE]],
    ["+7.41", [COFFEE]],
    ["$ 7.41", [COFFEE]],
    ["7,41 €", [COFFEE]],
    ["７.４１", [COFFEE]],
    ["7.41 USD", [COFFEE]],
    ["usd 7.41 coffee", [COFFEE]],
    ["7.41 EUR", []],
    ["1 234,50", [TRAM]],
    ["€ 1\u202F234,50", [TRAM]],
    ["1\u00A0234.50 $ munchen", [TRAM]],
    ["1 234", []],
    ["harbour, coffee", [COFFEE]],
    ["7,41", [COFFEE]],
    ["€7.41", [COFFEE]],
    ["741", [COFFEE]],
    ["USD7.41", [COFFEE]],
    ["1234.5", [TRAM]],
    ["1,234.50", [TRAM]],
    ["1.234,50", [TRAM]],
    ["1'234.50", [TRAM]],
    ["CHF 1’234.50", []],
    ["1’234.50", [TRAM]],
    ["25", [TEA]],
    ["2500", [TEA]],
    ["25.00 tea", [TEA]],
    ["25.00 coffee", []],
    ["jose coffee", [COFFEE]],
    ["JOSÉ", [TRAM, COFFEE, FUNDED]],
    ["Jose\u0301 7.41", [COFFEE]],
    ["muller jose munchen", [TRAM]],
    ["tanaka", [TEA, FUNDED]],
    ["tanaka coffee", []],
    ["nobody", []],
  ])("%s", async (search, amounts) => {
    const { data } = (await find("/transactions", search)) as { data: { amount: number }[] };
    expect(data.map(({ amount }) => amount)).toEqual(amounts);
  });

  test.each(["", "•••• ", "*"])(
    "by the last four digits of the card after '%s', and a word",
    async (mask) => {
      const { data } = (await find("/transactions", `${mask}${LAST4} coffee`)) as {
        data: { amount: number }[];
      };
      expect(data.map(({ amount }) => amount)).toEqual([COFFEE]);
    },
  );

  test("by the cardholder's email, with or without what follows the @, and a word", async () => {
    for (const part of [EMAIL.toUpperCase(), "jose.m+cards"]) {
      const search = async (word: string) =>
        (await find("/transactions", `${part} ${word}`)) as { data: { amount: number }[] };
      expect((await search("coffee")).data.map(({ amount }) => amount)).toEqual([COFFEE]);
      expect((await search("tea")).data).toEqual([]);
    }
  });

  test("a key that may not read cards finds none by names, digits, or emails", async () => {
    const { key } = await newScopedKey(mine.id, ["transactions:read"]);
    for (const search of ["tanaka", LAST4, EMAIL]) {
      expect(await find("/transactions", search, key)).toMatchObject({ data: [] });
    }
    expect(await find("/transactions", "coffee", key)).toMatchObject({ data: [{ amount: 741 }] });
  });

  test("of another account are not found", async () => {
    const { apiKey } = await newIntegrator();
    expect(await find("/transactions", "coffee", apiKey)).toMatchObject({ data: [] });
    expect(await find("/transactions", "tanaka", apiKey)).toMatchObject({ data: [] });
    expect(await find("/transactions", EMAIL, apiKey)).toMatchObject({ data: [] });
  });
});

test.each([
  ["jose", ["José"]],
  ["muller JOSÉ", ["José"]],
  ["Mu\u0308ller", ["José"]],
  ["tan", ["Mei"]],
  ["ta", ["Mei"]],
  ["an", []],
  ["tanaka mei", ["Mei"]],
  ["Tanaka, Mei", ["Mei"]],
  ["tanaka jose", []],
])("cards and cardholders by %s", async (search, names) => {
  const cards = (await find("/cards", search)) as { card_name: string }[];
  expect(cards.map(({ card_name: name }) => name.split(" ")[0])).toEqual(names);
  const { data } = (await find("/card-integrators/card-users", search)) as {
    data: { first_name: string }[];
  };
  expect(data.map(({ first_name: name }) => name)).toEqual(names);
});

test("cards by the last four digits and a part of the name", async () => {
  expect(await find("/cards", `${LAST4} jos`)).toHaveLength(1);
  expect(await find("/cards", `José Müller •••• ${LAST4}`)).toHaveLength(1);
  expect(await find("/cards", `${LAST4} tanaka`)).toEqual([]);
});

test("cards by the email of their cardholder, with or without what follows the @", async () => {
  const { apiKey: another } = await newIntegrator();
  for (const part of [EMAIL, "jose.m+cards"]) {
    expect(await find("/cards", `müller ${part.toUpperCase()}`)).toHaveLength(1);
    expect(await find("/cards", `tanaka ${part}`)).toEqual([]);
    expect(await find("/cards", `x${part}`)).toEqual([]);
    expect(await find("/cards", part.slice(0, -1))).toEqual([]);
    expect(await find("/cards", part, another)).toEqual([]);
  }
});
