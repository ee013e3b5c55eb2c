"use client";

import { Input, TextField } from "@heroui/react";
import { debounce, parseAsString, useQueryStates } from "nuqs";

const TYPING_MS = 500;

/** The first or the last day of a list, in UTC, kept in the address; choosing begins at the first page again. */
export function DayFilter({ name, label }: { name: string; label: string }) {
  const [filters, setFilters] = useQueryStates(
    { [name]: parseAsString, cursor: parseAsString },
    { shallow: false, history: "replace" },
  );
  return (
    <TextField
      aria-label={label}
      className="w-full sm:w-40"
      onChange={(day) =>
        void setFilters(
          { [name]: day === "" ? null : day, cursor: null },
          { limitUrlUpdates: debounce(TYPING_MS) },
        )
      }
      type="date"
      value={filters[name] ?? ""}
    >
      <Input />
    </TextField>
  );
}
