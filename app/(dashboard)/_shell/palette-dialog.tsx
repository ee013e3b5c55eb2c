"use client";

import { Description, Header, Label, ListBox, Modal, SearchField, Spinner } from "@heroui/react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CreditCard, Snowflake, Sun } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Autocomplete } from "react-aria-components/Autocomplete";
import { PLACES } from "./places.ts";
import { ProblemAlert } from "../../ui/problem-alert.tsx";
import { OPERATIONS } from "../../client/operations.ts";
import { callApi } from "#lib/api/client.ts";
import { cardCan } from "#lib/cards/card-state.ts";

const CARDS_SHOWN = 5;

/**
 * Marks an item that cannot be chosen and says why. One that the list itself disables would be skipped by the arrow keys,
 * and its reason with it.
 */
const DISABLED = "disabled ";

type Card = Awaited<ReturnType<typeof findCards>>[number];

async function findCards(search: string, signal: AbortSignal) {
  return callApi(
    OPERATIONS.listCards,
    { query: { search, limit: String(CARDS_SHOWN) } },
    { signal },
  );
}

/** The palette itself. Choosing goes to an address, so that everything it does can also be linked to. */
export function PaletteDialog({
  disabledReason,
  onClose,
}: {
  disabledReason: string | null;
  onClose: () => void;
}) {
  const router = useRouter();
  const [text, setText] = useState("");
  const search = text.trim();
  const cards = useQuery({
    queryKey: ["palette", search],
    queryFn: ({ signal }) => findCards(search, signal),
    enabled: search !== "",
    placeholderData: keepPreviousData,
  });
  const follow = (href: string) => {
    if (href.startsWith(DISABLED)) {
      return;
    }
    onClose();
    router.push(href);
  };
  const found = search === "" ? [] : (cards.data ?? []);
  return (
    <Modal.Backdrop isOpen onOpenChange={(open) => !open && onClose()}>
      <Modal.Container placement="top" size="lg">
        <Modal.Dialog aria-label="Search" className="gap-2 p-2">
          <Autocomplete inputValue={text} onInputChange={setText}>
            <SearchField
              aria-label="Search cards and pages"
              autoFocus
              fullWidth
              variant="secondary"
            >
              <SearchField.Group>
                <SearchField.SearchIcon />
                <SearchField.Input placeholder="Last four, name, ID, or page" />
                {cards.isFetching && <Spinner size="sm" />}
              </SearchField.Group>
            </SearchField>
            <ProblemAlert error={cards.error} />
            <ListBox
              aria-label="Results"
              className="max-h-96 overflow-y-auto"
              onAction={(href) => follow(String(href))}
              renderEmptyState={() => (
                <p className="text-muted p-4 text-center">No results found.</p>
              )}
              selectionMode="none"
            >
              {found.length > 0 && (
                <ListBox.Section>
                  <Header>Cards</Header>
                  {found.flatMap((card) => toItems(card, disabledReason))}
                </ListBox.Section>
              )}
              <ListBox.Section>
                <Header>Go to</Header>
                {toPlaces(search)}
              </ListBox.Section>
            </ListBox>
          </Autocomplete>
        </Modal.Dialog>
      </Modal.Container>
    </Modal.Backdrop>
  );
}

function matches(words: string, search: string): boolean {
  return words.toLowerCase().includes(search.toLowerCase());
}

function toPlaces(search: string) {
  return PLACES.flatMap(({ places }) => places)
    .filter(({ name, keywords }) => matches(`${name} ${keywords}`, search))
    .map(({ href, name, icon: Icon }) => (
      <ListBox.Item id={href} key={href} textValue={name}>
        <Icon aria-hidden className="text-muted size-4" />
        <Label>{name}</Label>
      </ListBox.Item>
    ));
}

function toItems(card: Card, disabledReason: string | null) {
  const name = `${card.card_name}, ${card.last4}`;
  const items = [
    <ListBox.Item id={`/cards/${card.id}`} key={card.id} textValue={`Open ${name}`}>
      <CreditCard aria-hidden className="text-muted size-4" />
      <Label>
        {card.card_name} · {card.last4}
      </Label>
      <Description>{card.status}</Description>
    </ListBox.Item>,
  ];
  const isFrozen = card.status === "frozen";
  const act = isFrozen ? "unfreeze" : "freeze";
  const verb = isFrozen ? "Unfreeze" : "Freeze";
  const reason = disabledReason ?? cardCan[act](card)?.detail ?? null;
  const icon = isFrozen ? (
    <Sun aria-hidden className="text-muted size-4" />
  ) : (
    <Snowflake aria-hidden className="text-frozen size-4" />
  );
  items.push(
    <ListBox.Item
      className={reason === null ? "" : "cursor-not-allowed opacity-60"}
      id={reason === null ? `/cards/${card.id}?act=${act}` : `${DISABLED}${card.id}`}
      key={`${card.id} ${act}`}
      textValue={[`${verb} ${name}`, reason].flatMap((part) => part ?? []).join(": ")}
    >
      {icon}
      <Label>
        {verb} {card.card_name} · {card.last4}
      </Label>
      {reason !== null && <Description>{reason}</Description>}
    </ListBox.Item>,
  );
  return items;
}
