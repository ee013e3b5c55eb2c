import { expect, test } from "vitest";
import { readCreditFile } from "./credit-file.ts";
import { pickCard, toNamedCard } from "./named-cards.ts";
import type { NamedCard } from "./named-cards.ts";

const ID = "01a1fd1b-37aa-7003-9d29-7b1f3d4a8a52";

test.each([
  ["0561", { last4: "0561", name: "Ada" }],
  ['="0561"', { last4: "0561", name: "Ada" }],
  ["561", { last4: "0561", name: "Ada" }],
  ["", null],
  ["12345", null],
  ["+1", null],
])("the digits %s", (digits, named) => {
  expect(toNamedCard(digits, "Ada")).toEqual(named);
});

test("digits without a name name no card", () => {
  expect(toNamedCard("0561", "")).toBeNull();
});

const card = (members: object = {}) => ({
  id: ID,
  card_name: "Zo\u00EB M\u00FCller",
  last4: "0561",
  status: "active",
  ...members,
});

test("one open card of that name is meant, whatever the case, the accents, and the spaces of the name", () => {
  const named = { last4: "0561", name: " zoe   MULLER " };
  const others = [
    card({ last4: "0562" }),
    card({ card_name: "Zo\u00EB Smith" }),
    card({ status: "closed" }),
  ];
  expect(pickCard(named, [card(), ...others])).toEqual({ cardId: ID });
  expect(pickCard(named, others)).toMatchObject({ why: expect.stringContaining("ends in 0561") });
  expect(pickCard(named, [card(), card({ status: "frozen" })])).toMatchObject({
    why: expect.stringMatching(/^2 cards of .+ by its ID\.$/u),
  });
});

test("a row names its card by its ID if it has one, otherwise by its digits and name", () => {
  const asked: NamedCard[] = [];
  const find = (named: NamedCard) => {
    asked.push(named);
    return named.name === "Ada" ? { cardId: ID } : { why: "Nobody." };
  };
  const text = `card_id,name,last4,amount\n${ID},Lin,0001,5\n,Ada,561,6\n,Bo,0002,7\n,,0003,8`;
  const file = readCreditFile(text, "USD", find);
  expect(asked).toEqual([
    { last4: "0561", name: "Ada" },
    { last4: "0002", name: "Bo" },
  ]);
  expect(file).toMatchObject({
    rows: [
      { row: 2, cardId: ID, amount: 500 },
      { row: 3, cardId: ID, amount: 600 },
    ],
    bad: [
      { row: 4, why: "Nobody." },
      { row: 5, why: "The card ID is missing." },
    ],
  });
});

test("a file may have no column of IDs at all", () => {
  const file = readCreditFile("last4;name;amount\n0561;Ada;5", "USD", () => ({ cardId: ID }));
  expect(file).toMatchObject({ rows: [{ cardId: ID, amount: 500 }], bad: [] });
});
