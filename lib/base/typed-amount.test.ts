import { assert, integer, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { CURRENCIES } from "#lib/base/currencies.ts";
import { AMOUNT_MAX, formatMoney } from "#lib/base/money.ts";
import { readAmount, toSymbol, toTypedAmount } from "#lib/base/typed-amount.ts";

const SIGN = "Enter the amount without a sign.";
const ZEROS = "Remove the leading zeros.";
const DIGITS = "Enter the amount in digits, such as 1,234.56.";
const COMMAS =
  "Use a decimal point, and commas only between groups of three digits, such as 1,234.56.";
const PRECISE = "USD amounts have at most 2 decimals.";
const LARGE = "The maximum is $10,000,000,000.00.";

function read(typed: string, currency = "USD"): number | string {
  const { amount, ...rest } = { problem: "", ...readAmount(typed, currency) };
  return amount ?? rest.problem;
}

describe("an amount of a currency with two decimals", () => {
  test.each([
    ["20", 2_000],
    ["20.00", 2_000],
    ["20.5", 2_050],
    ["0.01", 1],
    [".50", 50],
    ["1234.56", 123_456],
    ["1,234", 123_400],
    ["1,234.56", 123_456],
    ["12,345,678.90", 1_234_567_890],
    ["$20.00", 2_000],
    ["$1,234.56", 123_456],
    ["$ 20", 2_000],
    ["USD 20", 2_000],
    ["USD\u00A020.00", 2_000],
    ["  20.00  ", 2_000],
    ["\t20\u00A0", 2_000],
    ["10000000000", AMOUNT_MAX],
    ["10,000,000,000.00", AMOUNT_MAX],
  ])("accepts %j", (typed, amount) => {
    expect(read(typed)).toBe(amount);
  });

  test.each([
    ["20,00", COMMAS],
    ["1,23", COMMAS],
    ["1.234,56", COMMAS],
    ["1,2345", COMMAS],
    ["1234,567", COMMAS],
    ["12,34,567", COMMAS],
    ["0,020", COMMAS],
    [",50", COMMAS],
    ["1,,234", COMMAS],
    ["1.234.567", COMMAS],
    ["1..5", COMMAS],
    ["20.", COMMAS],
    [".", COMMAS],
    ["12.345", PRECISE],
    ["1.234", PRECISE],
    ["20.000", PRECISE],
    ["0.001", PRECISE],
    ["10000000000.01", LARGE],
    ["999999999999", LARGE],
    ["99999999999999999999999999", LARGE],
    ["-5", SIGN],
    ["\u22125", SIGN],
    ["$-5", SIGN],
    ["+5", SIGN],
    ["(5)", SIGN],
    ["1e-3", SIGN],
    ["1e3", DIGITS],
    ["0x10", DIGITS],
    ["1_000", DIGITS],
    ["1 234.56", DIGITS],
    ["1'234.56", DIGITS],
    ["\uFF12\uFF10", DIGITS],
    ["\u0662\u0660", DIGITS],
    ["2\uFF0E50", DIGITS],
    ["\u00BD", DIGITS],
    ["20 USD", DIGITS],
    ["\u20AC20", DIGITS],
    ["$$20", DIGITS],
    ["Infinity", DIGITS],
    ["NaN", DIGITS],
    ["twenty", DIGITS],
    ["007", ZEROS],
    ["00.50", ZEROS],
    ["0", "The minimum is $0.01."],
    ["0.00", "The minimum is $0.01."],
    ["", "Enter an amount."],
    ["   ", "Enter an amount."],
    ["$", "Enter an amount."],
  ])("rejects %j", (typed, problem) => {
    expect(read(typed)).toBe(problem);
  });
});

describe("an amount of a currency without decimals", () => {
  test.each([
    ["1234", 1_234],
    ["1,234", 1_234],
    ["\u00A51,234", 1_234],
    ["JPY 5", 5],
    ["1000000000000", AMOUNT_MAX],
    ["20.00", "JPY amounts have no decimals."],
    ["1.000", "JPY amounts have no decimals."],
    ["20.", "Use no decimals, and commas only between groups of three digits, such as 1,234."],
    ["1,23", "Use no decimals, and commas only between groups of three digits, such as 1,234."],
    ["1000000000001", "The maximum is \u00A51,000,000,000,000."],
    ["0", "The minimum is \u00A51."],
  ])("reads %j as %j", (typed, expected) => {
    expect(read(typed, "JPY")).toBe(expected);
  });
});

describe("an amount of a currency with three decimals", () => {
  test.each([
    ["20", 20_000],
    ["1.234", 1_234],
    ["12.345", 12_345],
    ["1,234.5", 1_234_500],
    ["1,234.567", 1_234_567],
    ["KWD 1.234", 1_234],
    ["KWD\u00A01.234", 1_234],
    ["1000000000", AMOUNT_MAX],
    ["1,234", "This could be two different amounts. Enter 1,234.000 or 1.234."],
    ["12,345", "This could be two different amounts. Enter 12,345.000 or 12.345."],
    ["1,234,567", 1_234_567_000],
    ["1.2345", "KWD amounts have at most 3 decimals."],
    ["999999999999", "The maximum is KWD\u00A01,000,000,000.000."],
    ["$20", "Enter the amount in digits, such as 1,234.567."],
  ])("reads %j as %j", (typed, expected) => {
    expect(read(typed, "KWD")).toBe(expected);
  });
});

test.each(["", "$", "1,", "1,2", "20,00", "12,345,6", "20.", ".", "0", "0.0"])(
  "%j raises no objection while it is being typed",
  (typed) => {
    expect(readAmount(typed, "USD")).toMatchObject({ amount: null, isUnfinished: true });
  },
);

test.each(["12.345", "-", "1e", "1.2.", "1,2345", "1.234,", "00", "999999999999"])(
  "%j can no longer become an amount",
  (typed) => {
    expect(readAmount(typed, "USD")).toMatchObject({ amount: null, isUnfinished: false });
  },
);

test("zero is accepted where the minimum is zero", () => {
  expect(readAmount("0", "USD", 0)).toEqual({ amount: 0 });
});

test.each([
  ["HUF", "20", 2_000],
  ["IDR", "1500.5", 150_050],
  ["IQD", "1.234", 1_234],
  ["COP", "0.01", 1],
  ["CLF", "1.2345", 12_345],
])("in %s, %s is %i minor units, as ISO 4217 counts them", (currency, typed, amount) => {
  expect(read(typed, currency)).toBe(amount);
});

test.each(CURRENCIES)("a formatted amount of %s reads back as the same", (currency) => {
  assert(
    property(integer({ min: 1, max: AMOUNT_MAX }), (amount) => {
      expect(read(toTypedAmount(amount, currency), currency)).toBe(amount);
      expect(read(formatMoney(amount, currency), currency)).toBe(amount);
    }),
  );
});

test("toSymbol is empty for a currency without a symbol", () => {
  expect(["USD", "JPY", "CAD", "KWD"].map(toSymbol)).toEqual(["$", "\u00A5", "$", ""]);
});
