"use client";

import { SearchField } from "@heroui/react";
import { debounce, parseAsString, useQueryStates } from "nuqs";

const TYPING_MS = 250;

/** Shows what was sent about one card; kept in the address. */
export function CardFilter() {
  const [filters, setFilters] = useQueryStates(
    { card_id: parseAsString.withDefault(""), cursor: parseAsString },
    { shallow: false, history: "replace" },
  );
  return (
    <SearchField
      aria-label="Card id"
      className="w-full sm:w-48"
      onChange={(cardId) =>
        void setFilters(
          { card_id: cardId.trim(), cursor: null },
          { limitUrlUpdates: debounce(TYPING_MS) },
        )
      }
      value={filters.card_id}
    >
      <SearchField.Group>
        <SearchField.SearchIcon />
        <SearchField.Input placeholder="Card id" />
        <SearchField.ClearButton />
      </SearchField.Group>
    </SearchField>
  );
}
