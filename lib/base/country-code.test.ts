import { assert, constantFrom, property } from "fast-check";
import { iso31661 } from "iso-3166";
import { expect, test } from "vitest";
import { listCountries, toCountryName } from "./countries.ts";
import { findCountryCode, toCountryCode } from "./country-code.ts";

test("every country is found by each of its codes and by its English name, in any case", () => {
  assert(
    property(constantFrom(...iso31661), ({ alpha2, alpha3, numeric }) => {
      for (const text of [alpha2, alpha3, numeric, toCountryName(alpha2)]) {
        expect([text, findCountryCode(` ${text.toLowerCase()} `)]).toEqual([text, alpha2]);
      }
    }),
    { numRuns: 500 },
  );
});

test("what is no country is not found, and a name is no code", () => {
  for (const text of ["", "ZZ", "QZZ", "000", "Atlantis", "constructor"]) {
    expect([text, findCountryCode(text)]).toEqual([text, null]);
  }
  expect(listCountries().every(({ name }) => toCountryCode(name) === null)).toBe(true);
});
