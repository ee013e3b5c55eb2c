"use client";

import { Button, SearchField } from "@heroui/react";
import { X } from "lucide-react";
import Link from "next/link";
import { debounce, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { toHref } from "../../ui/pager.tsx";
import { CARD_STATUSES } from "#lib/card-state.ts";

const TYPING_MS = 250;

const STATUSES = [
  { id: null, name: "All" },
  { id: "active", name: "Active" },
  { id: "frozen", name: "Frozen" },
  { id: "closed", name: "Closed" },
] as const;

/** Search and filters, kept in the address: a filtered list can be reloaded, linked to and gone back to. */
export function CardFilters({ holder }: { holder: string | null }) {
  const [filters, setFilters] = useQueryStates(
    {
      search: parseAsString.withDefault(""),
      status: parseAsStringLiteral(CARD_STATUSES),
      user_id: parseAsString,
      cursor: parseAsString,
    },
    { shallow: false, history: "replace" },
  );
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-sm:basis-full">
      <SearchField
        aria-label="Search cards"
        className="w-full sm:w-64"
        onChange={(search) =>
          void setFilters({ search, cursor: null }, { limitUrlUpdates: debounce(TYPING_MS) })
        }
        value={filters.search}
      >
        <SearchField.Group>
          <SearchField.SearchIcon />
          <SearchField.Input placeholder="Last four, name or id" />
          <SearchField.ClearButton />
        </SearchField.Group>
      </SearchField>
      <nav
        aria-label="Status"
        className="border-border flex h-9 items-center rounded-lg border p-0.5"
      >
        {STATUSES.map(({ id, name }) => (
          <Link
            aria-current={filters.status === id ? "true" : undefined}
            className={`flex h-full items-center rounded-md px-2.5 text-xs font-medium ${filters.status === id ? "bg-default text-foreground" : "text-muted hover:text-foreground"}`}
            href={toHref("/cards", {
              search: filters.search,
              status: id ?? undefined,
              user_id: filters.user_id ?? undefined,
            })}
            key={name}
          >
            {name}
          </Link>
        ))}
      </nav>
      {holder !== null && (
        <Button
          aria-label={`Held by ${holder}: show everybody's cards`}
          onPress={() => void setFilters({ user_id: null, cursor: null })}
          size="sm"
          variant="tertiary"
        >
          Held by {holder}
          <X aria-hidden />
        </Button>
      )}
    </div>
  );
}
