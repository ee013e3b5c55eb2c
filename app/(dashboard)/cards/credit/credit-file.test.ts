import { describe, expect, test } from "vitest";
import { readCreditFile, toBadFile } from "./credit-file.ts";
import type { CreditFile } from "./credit-file.ts";

const ONE = "01a1fd1b-0000-7000-8000-000000000001";
const TWO = "01a1fd1b-0000-7000-8000-000000000002";

/** A row with an amount of dollars. */
const toRow = (row: number, cardId: string, written: string) => ({
  row,
  cardId,
  written,
  amount: Number(written.replaceAll(",", "")) * 100,
  narrative: null,
});

/** Without what only the file of rows left out needs. */
function toRead(file: CreditFile) {
  return "fault" in file
    ? file
    : {
        rows: file.rows.map(({ row, cardId, written, amount, narrative }) => ({
          row,
          cardId,
          written,
          amount,
          narrative,
        })),
        bad: file.bad,
      };
}

describe("rows are read", () => {
  test.each([
    ["a file with named columns in any order", `amount,name,id\r\n25.00,"Lin, Ada",${ONE}\r\n`],
    [
      "a file of a spreadsheet with semicolons and a byte order mark",
      `\uFEFFcard_id;Amount\n${ONE};25.00`,
    ],
    ["cells copied from a spreadsheet", `card_id\tamount\n${ONE}\t25.00\n`],
  ])("%s", (_, text) => {
    expect(toRead(readCreditFile(text, "USD"))).toEqual({
      rows: [toRow(2, ONE, "25.00")],
      bad: [],
    });
  });

  test("without names: card, amount, narrative; empty rows are skipped, and counted", () => {
    const text = `${ONE},"1,250.5",Bonus\n\n,,\n${TWO.toUpperCase()},7`;
    expect(toRead(readCreditFile(text, "USD"))).toEqual({
      rows: [{ ...toRow(1, ONE, "1,250.5"), narrative: "Bonus" }, toRow(4, TWO, "7")],
      bad: [],
    });
  });

  test("in a currency without decimals", () => {
    expect(readCreditFile(`${ONE},700`, "JPY")).toMatchObject({ rows: [{ amount: 700 }] });
  });
});

test("a row that cannot be credited says why, and the others stay", () => {
  const text = [
    "card_id,amount",
    `${ONE},5`,
    `${ONE},-5`,
    "4242,5",
    ",5",
    `${TWO},`,
    `${TWO},1.005`,
  ];
  const file = readCreditFile(text.join("\n"), "USD");
  expect(file).toMatchObject({ rows: [{ row: 2 }] });
  expect("bad" in file && file.bad.map(({ row, why }) => [row, why])).toEqual([
    [3, "Enter the amount without a sign."],
    [4, "This is not the ID of a card."],
    [5, "The card ID is missing."],
    [6, "Enter an amount."],
    [7, "USD amounts have at most 2 decimals."],
  ]);
});

test.each([
  ["with names", `card_id,amount\n${ONE},1,000.50`],
  ["without", `${ONE},12,345,678`],
  ["where a narrative may follow", `card_id,amount,narrative\n${ONE},1,000`],
])("an amount that is cut at its comma is not taken for a smaller one: %s", (_, text) => {
  expect(readCreditFile(text, "USD")).toMatchObject({
    rows: [],
    bad: [{ why: expect.stringContaining("cut at its comma") }],
  });
});

test("a number beside an amount is a narrative where no comma separates them", () => {
  expect(readCreditFile(`${ONE}\t1\t000`, "USD")).toMatchObject({
    rows: [{ amount: 100, narrative: "000" }],
  });
});

test.each([
  ["nothing", "", "There are no rows to credit."],
  ["only names", "card_id,amount", "There are no rows to credit."],
  [
    "no card",
    "name,amount\nAda,5",
    'Add a column "card_id" with the ID of each card, or the columns "last4" and "name".',
  ],
  [
    "too many rows",
    `${ONE},1\n`.repeat(10_001),
    "These are 10,001 rows. Credit at most 10,000 at once: split them.",
  ],
])("all of it is refused: %s", (_, text, fault) => {
  expect(readCreditFile(text, "USD")).toEqual({ fault });
});

test("a line that names the separator is no row, and full-width digits are digits", () => {
  const text = `sep=;\r\ncard_id;amount\r\n${ONE};２５.００`;
  expect(toRead(readCreditFile(text, "USD"))).toEqual({ rows: [toRow(3, ONE, "25.00")], bad: [] });
});

test("the file of rows left out has every column, evaluates nothing, and can be corrected and read again", () => {
  const text = `card_id,name,amount,narrative\n${ONE},=Ada,=1+1,Prämie\n${TWO},Lin,5,`;
  const file = readCreditFile(text, "USD");
  if ("fault" in file) {
    throw new Error(file.fault);
  }
  const left = toBadFile(file);
  expect(left).toContain("'=1+1");
  expect(left.split("\r\n")[0]).toBe("card_id,name,amount,narrative,row,reason_left_out");
  const corrected = readCreditFile(left.replace("'=1+1", "2"), "USD");
  expect(corrected).toMatchObject({ rows: [{ cardId: ONE, amount: 200, narrative: "Prämie" }] });
  const again = readCreditFile(left, "USD");
  expect("bad" in again && toBadFile(again).split("\r\n")[0]).toBe(
    "card_id,name,amount,narrative,row,reason_left_out",
  );
});
