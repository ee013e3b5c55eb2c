"use client";

import { Select } from "@heroui/react";
import { parseAsString, useQueryStates } from "nuqs";
import { Options } from "./options.tsx";

const ALL = "all";

/** One filter of a list. */
export interface Filter {
  /** The search parameter. */
  name: string;
  label: string;
  /** Its name while nothing is filtered. */
  all: string;
  options: readonly { id: string; name: string }[];
}

/** A filter's choice, kept in the URL; choosing returns to the first page. */
export function FilterSelect({ name, label, all, options }: Filter) {
  const [filters, setFilters] = useQueryStates(
    { [name]: parseAsString, cursor: parseAsString },
    { shallow: false, history: "replace" },
  );
  const chosen = options.find(({ id }) => id === filters[name])?.id ?? ALL;
  return (
    <Select
      aria-label={label}
      className="w-full sm:w-48"
      onChange={(key) =>
        void setFilters({
          [name]: options.find(({ id }) => id === key)?.id ?? null,
          cursor: null,
        })
      }
      value={chosen}
    >
      <Select.Trigger>
        <Select.Value />
        <Select.Indicator />
      </Select.Trigger>
      <Options options={[{ id: ALL, name: all }, ...options]} />
    </Select>
  );
}
