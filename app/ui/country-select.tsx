"use client";

import { Choice } from "./choice.tsx";
import type { ChoiceProps } from "./choice.tsx";
import type { Country } from "#lib/base/countries.ts";

/** Chooses a country by its code. The browser can fill it in from the person's address. */
export function CountrySelect({
  countries,
  value,
  ...props
}: Pick<ChoiceProps<string>, "onChange" | "error"> & {
  countries: readonly Country[];
  /** A code; empty while none is chosen. */
  value: string;
}) {
  return (
    <Choice
      {...props}
      isRequired
      autoComplete="country"
      label="Country"
      options={countries}
      placeholder="Select a country"
      value={value || null}
    />
  );
}
