import { currencies } from "countries-list/currencies";
import { expect, test } from "vitest";
import { CURRENCIES, minorDigits } from "#lib/base/currencies.ts";
import { toCurrencyCode } from "#lib/base/currency-numbers.ts";

/** The entries of ISO 4217 without a minor unit ("N.A."): metals, units of account, and codes for tests. */
const WITHOUT_MINOR_UNIT = "XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX".split(" ");

const STANDARD = Object.entries(currencies).filter(
  ([code, { withdrawn }]) => !withdrawn && !WITHOUT_MINOR_UNIT.includes(code),
);

test.each(STANDARD)("%s has as many decimals as in ISO 4217", (code, { decimals }) => {
  expect(minorDigits(code)).toBe(decimals);
});

test.each(STANDARD)(
  "%s is known by its number, with and without leading zeros",
  (code, { numeric }) => {
    expect([toCurrencyCode(numeric), toCurrencyCode(String(Number(numeric)))]).toEqual([
      code,
      code,
    ]);
  },
);

test("no other currency is known, except former ones that accounts may still have", () => {
  const current = new Set(STANDARD.map(([code]) => code));
  expect(CURRENCIES.filter((code) => !current.has(code))).toEqual(
    "ANG BGN CUC HRK SLL XDR XSU ZWL".split(" "),
  );
});

test.each([
  ["AFN", 2],
  ["COP", 2],
  ["HUF", 2],
  ["IDR", 2],
  ["IQD", 3],
  ["PKR", 2],
  ["RSD", 2],
  ["JPY", 0],
  ["KWD", 3],
  ["CLF", 4],
  ["UYW", 4],
  ["MGA", 2],
])("%s has %i decimals, whatever the tables of Intl say", (code, digits) => {
  expect(minorDigits(code)).toBe(digits);
});

test("every currency that an earlier release accepted is still known", () => {
  expect(Intl.supportedValuesOf("currency").filter((code) => !CURRENCIES.includes(code))).toEqual(
    [],
  );
});

test.each(["XXX", "XAU", "usd", ""])("%j is refused: an amount of it has no scale", (code) => {
  expect(() => minorDigits(code)).toThrow("is not a currency of ISO 4217");
});
