"use client";

import { ArrowLeftRight, BookOpen, Globe, Radio, User } from "lucide-react";
import { Header } from "react-aria-components/Header";
import { ListBoxSection } from "react-aria-components/ListBox";
import { useState } from "react";
import { toCardItems } from "./palette-card.tsx";
import type { PaletteDisabledReasons } from "./palette-card.tsx";
import { useDocsSearch } from "./docs-search.ts";
import { toHint, usePaletteSearch } from "./palette-search.ts";
import type { FoundRecord } from "./palette-search.ts";
import { PLACES } from "./places.ts";
import { SearchDialog, FoundSection } from "./search-dialog.tsx";
import { useClockOffset } from "../client/deadline-clock.tsx";
import type { Elements } from "../ui/elements.ts";
import { ListItem } from "../ui/list-item.tsx";
import { EVENTS } from "#lib/record/declared-events.ts";

const EVENTS_SHOWN = 5;

/** The palette itself. Each choice leads to an address, so that everything in it can also be linked to. */
export function PaletteDialog({
  disabledReasons,
  onClose,
}: {
  disabledReasons: PaletteDisabledReasons;
  onClose: () => void;
}) {
  const clock = { clockOffsetS: useClockOffset() };
  const [text, setText] = useState("");
  const search = text.trim();
  const { found, isFetching, error } = usePaletteSearch(search);
  const docs = useDocsSearch(search);
  const cardItems: Elements = found.cards.flatMap((card) =>
    toCardItems(card, disabledReasons, clock),
  );
  return (
    <SearchDialog
      error={error}
      hint={toHint(search)}
      isFetching={isFetching}
      onChange={setText}
      onClose={onClose}
      placeholder="Cards, transactions, cardholders, IDs, or a page"
      text={text}
    >
      {found.cards.length > 0 && (
        <ListBoxSection>
          <Header>Cards</Header>
          {cardItems}
        </ListBoxSection>
      )}
      <FoundSection heading="Transactions" icon={ArrowLeftRight} records={found.transactions} />
      <FoundSection heading="Cardholders" icon={User} records={found.cardholders} />
      <FoundSection heading="Requests" icon={Globe} records={found.requests} />
      <FoundSection
        heading="Events"
        icon={Radio}
        records={[...found.events, ...findEventTypes(search)]}
      />
      <FoundSection heading="Documentation" icon={BookOpen} records={docs.found} />
      {toPlaces(search)}
    </SearchDialog>
  );
}

function toPlaces(search: string): Elements {
  const places = PLACES.flatMap((each) => each.places).filter(({ name, keywords }) =>
    matches(`${name} ${keywords}`, search),
  );
  return (
    places.length > 0 && (
      <ListBoxSection>
        <Header>Go to</Header>
        {places.map(({ href, name, icon }) => (
          <ListItem icon={icon} id={href} key={href} name={name} />
        ))}
      </ListBoxSection>
    )
  );
}

/** The types of events that match the text; each leads to its events. */
function findEventTypes(search: string): FoundRecord[] {
  if (search === "") {
    return [];
  }
  return Object.entries(EVENTS)
    .filter(([event, meaning]) => matches(`${event} ${meaning}`, search))
    .slice(0, EVENTS_SHOWN)
    .map(([event, meaning]) => ({
      href: `/developers/events?event=${event}`,
      name: event,
      detail: meaning,
    }));
}

function matches(words: string, search: string): boolean {
  return words.toLowerCase().includes(search.toLowerCase());
}
