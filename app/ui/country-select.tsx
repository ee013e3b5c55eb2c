"use client";

import { NativeSelect } from "./native-select.tsx";
import type { NativeSelectProps } from "./native-select.tsx";
import type { Country } from "#lib/base/countries.ts";

/** Chooses a country by its code. The browser fills it in from the person's address. */
export function CountrySelect({
  countries,
  ...props
}: Pick<NativeSelectProps, "value" | "onChange" | "error"> & { countries: readonly Country[] }) {
  return (
    <NativeSelect
      {...props}
      autoComplete="country"
      label="Country"
      options={countries}
      placeholder="Select a country"
    />
  );
}
