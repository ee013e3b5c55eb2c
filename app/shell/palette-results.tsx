"use client";

import { Radio } from "lucide-react";
import { toCardItems } from "./palette-card.ts";
import type { PaletteDisabledReasons } from "./palette-card.ts";
import { findDocsExactly } from "./docs-index.ts";
import { useDocsSearch } from "./docs-search.ts";
import { toHint, usePaletteSearch } from "./palette-search.ts";
import { findPlaces } from "./places.ts";
import type { Place } from "./places.ts";
import type { SearchProps } from "./search-box.tsx";
import { SearchResults } from "./search-results.tsx";
import { toLocalSource } from "./search-sources.ts";
import type { FoundItem } from "./search-sources.ts";
import { useClockOffset } from "../client/deadline-clock.tsx";
import { EVENTS } from "#lib/record/declared-events.ts";

const EVENTS_SHOWN = 5;

/** The results for a text in the account and in the documentation. */
export function PaletteResults({
  disabledReasons,
  ...search
}: SearchProps & { disabledReasons: PaletteDisabledReasons }) {
  const { text } = search;
  const clock = { clockOffsetS: useClockOffset() };
  const records = usePaletteSearch(text, (card) => toCardItems(card, disabledReasons, clock));
  const docs = useDocsSearch(text, findDocsExactly);
  const { named, others } = findPlaces(text);
  return (
    <SearchResults
      {...search}
      hint={toHint(text)}
      // The order: results known in the browser, then records, then anything that is merely related to the text.
      sources={[
        toLocalSource("Go to", named.map(toPlaceItem)),
        ...records,
        toLocalSource("Event types", findEventTypes(text)),
        toLocalSource("Related pages", others.map(toPlaceItem)),
        docs,
      ]}
    />
  );
}

function toPlaceItem({ href, name, icon }: Place): FoundItem {
  return { href, name, icon, detail: null };
}

/** The types of events that match the text; each leads to its events. */
function findEventTypes(search: string): FoundItem[] {
  if (search === "") {
    return [];
  }
  return Object.entries(EVENTS)
    .filter(([event, meaning]) =>
      `${event} ${meaning}`.toLowerCase().includes(search.toLowerCase()),
    )
    .slice(0, EVENTS_SHOWN)
    .map(([event, meaning]) => ({
      href: `/developers/events?event=${event}`,
      name: event,
      detail: meaning,
      icon: Radio,
    }));
}
