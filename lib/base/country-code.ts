import { listCountries } from "#lib/base/countries.ts";
import { iso31661, iso31661Alpha3ToAlpha2, iso31661NumericToAlpha2 } from "iso-3166";

const ALPHA_2: ReadonlySet<string> = new Set(iso31661.map(({ alpha2 }) => alpha2));

/** The alpha-2 code of a country that is named by any of its three codes; null for anything else. */
export function toCountryCode(text: string): string | null {
  const code = text.trim().toUpperCase();
  if (ALPHA_2.has(code)) {
    return code;
  }
  return iso31661Alpha3ToAlpha2[code] ?? iso31661NumericToAlpha2[code] ?? null;
}

const BY_NAME: ReadonlyMap<string, string> = new Map(
  listCountries().map(({ id, name }) => [name.toLowerCase(), id]),
);

/** As `toCountryCode`, also for a country's English name: what people type into a form. */
export function findCountryCode(text: string): string | null {
  return toCountryCode(text) ?? BY_NAME.get(text.trim().toLowerCase()) ?? null;
}
