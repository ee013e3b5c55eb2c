"use client";

import { ListFilter } from "lucide-react";
import { useState } from "react";
import type { Elements } from "../../ui/elements.ts";
import { Button } from "../../ui/button.tsx";
import { fetched } from "../../client/fetched.tsx";
import { SearchFilter } from "../../ui/search-filter.tsx";
import type { Filter } from "./filter.ts";

const FilterDialog = fetched(() =>
  import("./filter-dialog.tsx").then((loaded) => loaded.FilterDialog),
);

/** Search and filters, kept in the URL so that a filtered list can be reloaded, linked to, and returned to. */
export function TransactionFilters({
  filter,
  currency,
  dates,
}: {
  filter: Filter;
  currency: string;
  /** The ranges of days to choose from. */
  dates: Elements;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-sm:contents">
      <SearchFilter
        className="w-full sm:max-w-80 sm:min-w-28 sm:flex-1 sm:basis-28"
        label="Search transactions"
        name="search"
        placeholder="Narrative, merchant, amount, or ID"
      />
      {dates}
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
