"use client";

import { Description, Header, Label, ListBox, Modal, SearchField, Spinner } from "@heroui/react";
import { ArrowLeftRight, BookOpen, Globe, Radio, User } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { DISABLED, toCardItems } from "./palette-card.tsx";
import type { PaletteDisabledReasons } from "./palette-card.tsx";
import { useDocsSearch } from "./palette-docs.ts";
import { toHint, usePaletteSearch } from "./palette-search.ts";
import type { FoundRecord } from "./palette-search.ts";
import { PLACES } from "./places.ts";
import { useClockOffset } from "../client/deadline-clock.tsx";
import { mayLeave } from "../client/unsaved-changes.ts";
import type { Elements } from "../ui/elements.ts";
import { ProblemAlert } from "../client/problem-alert.tsx";
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
  const router = useRouter();
  const clock = { clockOffsetS: useClockOffset() };
  const [text, setText] = useState("");
  const search = text.trim();
  const { found, isFetching, error } = usePaletteSearch(search);
  const docs = useDocsSearch(search);
  const cardItems: Elements = found.cards.flatMap((card) =>
    toCardItems(card, disabledReasons, clock),
  );
  const follow = (href: string) => {
    if (href.startsWith(DISABLED) || !mayLeave()) {
      return;
    }
    onClose();
    router.push(href);
  };
  return (
    <Modal.Backdrop isOpen onOpenChange={(open) => !open && onClose()}>
      <Modal.Container placement="top" size="lg">
        <Modal.Dialog aria-label="Search" className="gap-2 p-2">
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField aria-label="Search" autoFocus fullWidth variant="secondary">
              <SearchField.Group>
                <SearchField.SearchIcon />
                <SearchField.Input placeholder="Cards, transactions, cardholders, IDs, or a page" />
                {isFetching && <Spinner size="sm" />}
              </SearchField.Group>
            </SearchField>
            <ProblemAlert error={error} />
            <ListBox
              aria-label="Results"
              className="max-h-96 overflow-y-auto"
              onAction={(href) => follow(String(href))}
              renderEmptyState={() => (
                <p className="text-muted p-4 text-center">
                  {toHint(search) ?? (isFetching ? "Searching…" : "No results found.")}
                </p>
              )}
              selectionMode="none"
            >
              {found.cards.length > 0 && (
                <ListBox.Section>
                  <Header>Cards</Header>
                  {cardItems}
                </ListBox.Section>
              )}
              {toSection("Transactions", ArrowLeftRight, found.transactions)}
              {toSection("Cardholders", User, found.cardholders)}
              {toSection("Requests", Globe, found.requests)}
              {toSection("Events", Radio, [...found.events, ...findEventTypes(search)])}
              {toSection("Documentation", BookOpen, docs)}
              {toPlaces(search)}
            </ListBox>
          </Autocomplete>
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}

function toSection(heading: string, Icon: LucideIcon, records: readonly FoundRecord[]): Elements {
  return (
    records.length > 0 && (
      <ListBox.Section>
        <Header>{heading}</Header>
        {records.map(({ href, name, detail }) => (
          <ListBox.Item id={href} key={href} textValue={`${name}, ${detail}`}>
            <Icon aria-hidden className="text-muted size-4" />
            <Label>{name}</Label>
            <Description>{detail}</Description>
          </ListBox.Item>
        ))}
      </ListBox.Section>
    )
  );
}

function toPlaces(search: string): Elements {
  const places = PLACES.flatMap((each) => each.places).filter(({ name, keywords }) =>
    matches(`${name} ${keywords}`, search),
  );
  return (
    places.length > 0 && (
      <ListBox.Section>
        <Header>Go to</Header>
        {places.map(({ href, name, icon: Icon }) => (
          <ListBox.Item id={href} key={href} textValue={name}>
            <Icon aria-hidden className="text-muted size-4" />
            <Label>{name}</Label>
          </ListBox.Item>
        ))}
      </ListBox.Section>
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
