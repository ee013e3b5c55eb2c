"use client";

import { Button, SearchField } from "@heroui/react";
import { ListFilter } from "lucide-react";
import { debounce, parseAsString, useQueryStates } from "nuqs";
import { useState } from "react";
import { fetched } from "../../client/fetched.tsx";
import type { Filter } from "./filter.ts";

const FilterDialog = fetched(() =>
  import("./filter-dialog.tsx").then((loaded) => loaded.FilterDialog),
);

const TYPING_MS = 250;

/** Search and filters, kept in the address: a filtered list can be reloaded, linked to and gone back to. */
export function TransactionFilters({ filter, currency }: { filter: Filter; currency: string }) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useQueryStates(
    { search: parseAsString.withDefault(""), cursor: parseAsString },
    { shallow: false, history: "replace" },
  );
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-sm:basis-full">
      <SearchField
        aria-label="Search transactions"
        className="w-full sm:w-80"
        onChange={(search) =>
          void setTyped({ search, cursor: null }, { limitUrlUpdates: debounce(TYPING_MS) })
        }
        value={typed.search}
      >
        <SearchField.Group>
          <SearchField.SearchIcon />
          <SearchField.Input placeholder="Narrative, merchant, amount or id" />
          <SearchField.ClearButton />
        </SearchField.Group>
      </SearchField>
      <Button onPress={() => setOpen(true)} size="sm" variant="outline">
        <ListFilter aria-hidden />
        Filters
      </Button>
      {isOpen && (
        <FilterDialog currency={currency} filter={filter} onClose={() => setOpen(false)} />
      )}
    </div>
  );
}
