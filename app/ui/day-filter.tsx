"use client";

import { Input, Label, TextField } from "@heroui/react";
import { debounce, parseAsString, useQueryStates } from "nuqs";

const TYPING_MS = 500;

/**
 * The first or the last day of a list, in the account's time zone, kept in the URL. Choosing one returns to the first
 * page.
 */
export function DayFilter({ name, label }: { name: string; label: "From" | "To" }) {
  const [filters, setFilters] = useQueryStates(
    { [name]: parseAsString, cursor: parseAsString },
    { shallow: false, history: "replace" },
  );
  return (
    <TextField
      className="flex w-full flex-row items-center gap-2 sm:w-48"
      onChange={(day) =>
        void setFilters(
          { [name]: day === "" ? null : day, cursor: null },
          { limitUrlUpdates: debounce(TYPING_MS) },
        )
      }
      type="date"
      value={filters[name] ?? ""}
    >
      <Label className="text-muted w-10 shrink-0 font-normal sm:w-auto">{label}</Label>
      <Input className="min-w-0 flex-1" />
    </TextField>
  );
}
