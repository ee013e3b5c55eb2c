import { iso31661 } from "iso-3166";
import { expect, test } from "vitest";
import { listCountries, toCountryName } from "./countries.ts";

test("every country of ISO 3166-1 has a name, and they are listed by it", () => {
  const countries = listCountries();
  expect(countries).toHaveLength(249);
  expect(new Set(countries.map(({ id }) => id))).toEqual(
    new Set(iso31661.map(({ alpha2 }) => alpha2)),
  );
  expect(new Set(countries.map(({ name }) => name)).size).toBe(249);
  expect(countries.every(({ id, name }) => name !== id)).toBe(true);
  expect(countries.slice(0, 2).map(({ name }) => name)).toEqual(["Afghanistan", "Åland Islands"]);
});

test("a code is named, and any other text is left as it is", () => {
  expect(toCountryName("GH")).toBe("Ghana");
  expect(toCountryName("Republic of Ghana")).toBe("Republic of Ghana");
});
