"use client";

import { debounce, parseAsString, throttle, useQueryStates } from "nuqs";
import { useEffect, useRef } from "react";
import { onNavigation } from "../ui/navigation.ts";
import { SearchField } from "../ui/search-field.tsx";

const TYPING_MS = 250;
/** The field shows the text, but the URL does not change. */
const NEVER = throttle(Number.POSITIVE_INFINITY);

/** A list's text filter, kept in the URL once typing pauses; a change returns to the first page. */
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
  // After a link is followed before the pause, a late update of the URL would lead back.
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
