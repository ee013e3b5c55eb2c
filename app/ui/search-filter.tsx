"use client";

import { debounce, parseAsString, throttle, useQueryStates } from "nuqs";
import { useEffect, useRef } from "react";
import { onNavigation } from "./navigation.ts";
import { SearchField } from "./search-field.tsx";

const TYPING_MS = 250;
/** The field shows it; the address is left alone. */
const NEVER = throttle(Number.POSITIVE_INFINITY);

/** A filter of a list that is typed, kept in the address once the typing pauses; it begins at the first page again. */
export function SearchFilter({
  name,
  label,
  placeholder,
  className,
}: {
  /** The search parameter. */
  name: string;
  label: string;
  placeholder: string;
  className: string;
}) {
  const [filters, setFilters] = useQueryStates(
    { [name]: parseAsString, cursor: parseAsString },
    { shallow: false, history: "replace" },
  );
  const pending = useRef(0);
  const type = async (text: string) => {
    pending.current += 1;
    await setFilters(
      { [name]: text === "" ? null : text, cursor: null },
      { limitUrlUpdates: debounce(TYPING_MS) },
    );
    pending.current -= 1;
  };
  // Whoever follows a link before the pause goes where it leads: an update after that would take them back.
  useEffect(
    () =>
      onNavigation(({ searchParams }) => {
        if (pending.current > 0) {
          void setFilters(
            { [name]: searchParams.get(name), cursor: null },
            { limitUrlUpdates: NEVER },
          );
        }
      }),
    [name, setFilters],
  );
  return (
    <SearchField
      className={className}
      label={label}
      onChange={(text) => void type(text)}
      placeholder={placeholder}
      value={filters[name] ?? ""}
    />
  );
}
