"use client";

import { ArrowDown, ArrowUp, X } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { Button } from "../../ui/button.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { toHref } from "../../ui/pager.tsx";
import { SegmentedLinks } from "../../ui/segmented-links.tsx";
import { SearchFilter } from "../../ui/search-filter.tsx";
import { CARD_SEGMENTS } from "./card-segment.ts";
import { CARD_ORDERS } from "#lib/cards/card-state.ts";

const SEGMENTS = [
  { id: null, name: "All" },
  { id: "active", name: "Active" },
  { id: "frozen", name: "Frozen" },
  { id: "ends-today", name: "Ends today" },
  { id: "closed", name: "Closed" },
] as const;

/** Search and filters, kept in the URL so that a filtered list can be reloaded, linked to, and returned to. */
export function CardFilters({ holder }: { holder: string | null }) {
  const [filters, setFilters] = useQueryStates(
    {
      search: parseAsString.withDefault(""),
      status: parseAsStringLiteral(CARD_SEGMENTS),
      order: parseAsStringLiteral(CARD_ORDERS),
      user_id: parseAsString,
      cursor: parseAsString,
    },
    { shallow: false, history: "replace" },
  );
  const isReversed = filters.order === "oldest";
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-sm:contents">
      <SearchFilter
        className="w-full sm:max-w-64 sm:min-w-28 sm:flex-1 sm:basis-28"
        label="Search cards"
        name="search"
        placeholder="Last four, name, or ID"
      />
      <SegmentedLinks
        label="Status"
        links={SEGMENTS.map(({ id, name }) => ({
          name,
          href: toAddress({ ...filters, status: id }),
          isCurrent: filters.status === id,
        }))}
      />
      <LinkButton
        href={toAddress({ ...filters, order: isReversed ? null : "oldest" })}
        size="sm"
        variant="ghost"
      >
        {isReversed ? <ArrowUp aria-hidden /> : <ArrowDown aria-hidden />}
        <span>{isReversed ? "Oldest first" : "Newest first"}</span>
      </LinkButton>
      {holder !== null && (
        <Button
          aria-label={`Cardholder: ${holder}. Show all cards`}
          onPress={() => void setFilters({ user_id: null, cursor: null })}
          size="sm"
          variant="tertiary"
        >
          <span>{`Cardholder: ${holder}`}</span>
          <X aria-hidden />
        </Button>
      )}
    </div>
  );
}

/** The list's URL with these filters, from its first page. */
function toAddress(
  filters: Readonly<Record<"search" | "status" | "order" | "user_id", string | null>>,
): string {
  const { search, status, order, user_id } = filters;
  return toHref("/cards", {
    search: search ?? undefined,
    status: status ?? undefined,
    order: order ?? undefined,
    user_id: user_id ?? undefined,
  });
}
