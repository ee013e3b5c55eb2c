"use client";

import { useState } from "react";
import type { BulkCard } from "./bulk-card.ts";
import type { BulkTarget } from "./bulk-target.ts";
import type { Count } from "#lib/base/paging.ts";

/** All cards that match a list's filter. */
export interface Matching {
  /** The filter, as the API takes it. */
  filter: Readonly<Record<string, string | undefined>>;
  count: Count;
  exportHref: string;
}

export type Selection = ReturnType<typeof useSelection>;

/** Which cards of a list are selected: rows of the current page, or all that match. */
export function useSelection(cards: readonly BulkCard[], matching: Matching) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  // Another filter matches other cards, so it starts without "all" selected.
  const [allOf, setAllOf] = useState<string | null>(null);
  const chosen = cards.filter(({ id }) => ids.has(id));
  const isWholePage = cards.length > 0 && chosen.length === cards.length;
  const isAll = isWholePage && allOf === matching.exportHref;
  const { rows, isExact } = matching.count;
  const all = `${rows.toLocaleString("en-US")}${isExact ? "" : "+"}`;
  const target: BulkTarget = isAll
    ? {
        source: { filter: matching.filter },
        words: `all ${all} cards that match`,
        short: `${all} cards`,
      }
    : { cards: chosen };
  return {
    ids: new Set(chosen.map(({ id }) => id)),
    target,
    /** How many are selected. */
    words: isAll ? `All ${all} selected` : `${chosen.length} selected`,
    exportHref: isAll
      ? matching.exportHref
      : `/api/exports/cards?ids=${chosen.map(({ id }) => id).join(",")}`,
    /** Selects all matching cards, including those on other pages; null if there are no others. */
    selectAll:
      isWholePage && !isAll && rows > cards.length
        ? {
            words: `Select all ${all} that match`,
            onPress: () => setAllOf(matching.exportHref),
          }
        : null,
    select: (selected: ReadonlySet<string>) => {
      setIds(selected);
      setAllOf(null);
    },
    clear: () => {
      setIds(new Set());
      setAllOf(null);
    },
  };
}
