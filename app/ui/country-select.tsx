"use client";

import { inputVariants } from "@heroui/styles";
import { useId } from "react";
import type { Country } from "#lib/base/countries.ts";

/**
 * Chooses a country. The browser's own select: it fills itself in from the person's address, a phone shows its own list,
 * and letters find one of 249 options.
 */
export function CountrySelect({
  countries,
  value,
  onChange,
  error,
}: {
  countries: readonly Country[];
  /** A country's code; other text, which the API takes, is listed as it is. */
  value: string;
  onChange: (country: string) => void;
  error?: string | readonly string[] | undefined;
}) {
  const id = useId();
  const isListed = value === "" || countries.some((country) => country.id === value);
  const problem = typeof error === "string" ? error : error?.join(" ");
  return (
    <div className="flex flex-col gap-1">
      <label className="label label--required" htmlFor={id}>
        Country
      </label>
      <select
        aria-describedby={problem === undefined ? undefined : `${id}-error`}
        aria-invalid={problem !== undefined}
        aria-required
        autoComplete="country"
        className={inputVariants({ fullWidth: true })}
        data-invalid={problem === undefined ? undefined : "true"}
        id={id}
        onChange={(event) => onChange(event.target.value)}
        value={value}
      >
        <option disabled value="">
          Select a country
        </option>
        {!isListed && <option value={value}>{value}</option>}
        {countries.map((country) => (
          <option key={country.id} value={country.id}>
            {country.name}
          </option>
        ))}
      </select>
      {problem !== undefined && (
        <p className="text-danger text-xs" id={`${id}-error`}>
          {problem}
        </p>
      )}
    </div>
  );
}
