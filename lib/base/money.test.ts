import { expect, test } from "vitest";
import { CURRENCIES, minorDigits } from "#lib/base/currencies.ts";
import { BALANCE_MAX, formatMoney, formatRoughMoney, toDecimal } from "#lib/base/money.ts";

test.each([
  [20_000, "USD", "$200.00"],
  [20_000n, "USD", "$200.00"],
  [0n, "USD", "$0.00"],
  [5n, "USD", "$0.05"],
  [-1_234n, "USD", "-$12.34"],
  [1_234n, "JPY", "¥1,234"],
  [1_234_567n, "KWD", "KWD 1,234.567"],
  [1_234_567, "HUF", "HUF 12,345.67"],
  [1_234_567, "IDR", "IDR 12,345.67"],
  [1_234_567, "IQD", "IQD 1,234.567"],
  [1_234_567, "CLF", "CLF 123.4567"],
  // A division would round these.
  [4_503_599_627_370_497, "USD", "$45,035,996,273,704.97"],
  [BALANCE_MAX, "USD", "$90,071,992,547,409.91"],
  [-BALANCE_MAX, "KWD", "-KWD 9,007,199,254,740.991"],
  [-0, "USD", "$0.00"],
  // One minor unit above the largest exact number.
  [9_007_199_254_740_993n, "USD", "$90,071,992,547,409.93"],
])("%s of %s is %s", (amount, currency, text) => {
  expect(formatMoney(amount, currency).replace("\u00A0", " ")).toBe(text);
});

test.each([
  [20_000, "USD", "200.00"],
  [-5, "USD", "-0.05"],
  [0, "JPY", "0"],
  [-7, "JPY", "-7"],
  [1, "IQD", "0.001"],
  [BALANCE_MAX, "HUF", "90071992547409.91"],
  [9_007_199_254_740_993n, "USD", "90071992547409.93"],
])("%s of %s is the decimal number %s", (amount, currency, decimal) => {
  expect(toDecimal(amount, currency)).toBe(decimal);
});

test.each(CURRENCIES)("%s is shown with all of its decimals, and no others", (currency) => {
  const digits = minorDigits(currency);
  for (const amount of [1, 123_456_789, BALANCE_MAX]) {
    const [shown = ""] =
      /[0-9][0-9.]*$/u.exec(formatMoney(amount, currency).replaceAll(",", "")) ?? [];
    expect(shown).toBe(toDecimal(amount, currency));
    expect(shown.replace(".", "").replace(/^0+/u, "")).toBe(String(amount));
    expect(shown.split(".")[1]?.length ?? 0).toBe(digits);
  }
});

test("the lines of a chart are labeled in major units", () => {
  expect(formatRoughMoney(123_456, "USD")).toBe("$1.2K");
  expect(formatRoughMoney(200_000_000, "JPY")).toBe("¥200M");
  expect(formatRoughMoney(500_000, "KWD").replace("\u00A0", " ")).toBe("KWD 500");
});
