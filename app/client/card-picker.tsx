"use client";

import { ComboBox, Input, Label, ListBox, useFilter } from "@heroui/react";
import { keepPreviousData, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { OPERATIONS } from "./operations.ts";
import { callApi } from "#lib/api/client.ts";
import type { AnswerOf } from "#lib/api/client.ts";

const SHOWN = "8";
const CHOSEN = "chosen-card";

/** Picks one card, found by its last four digits or the name on it. */
export function CardPicker({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}) {
  /** Null unless the person is searching. */
  const [typed, setTyped] = useState<string | null>(null);
  const found = useFoundCards(typed?.trim() ?? "");
  const cards = found.data ?? [];
  const [chosen, keepChosen] = useChosenCard(value);
  const { contains } = useFilter({ sensitivity: "base" });
  return (
    <ComboBox
      allowsEmptyCollection
      // The name of the chosen card is not a search term.
      defaultFilter={(text, input) => typed === null || contains(text, input)}
      fullWidth
      inputValue={typed ?? (chosen ? toName(chosen) : "")}
      // Also called when the list closes without a choice: the name of the chosen card comes back.
      onChange={(key) => {
        setTyped(null);
        const card = cards.find(({ id }) => id === key);
        if (card) {
          keepChosen(card);
          onChange(card.id);
        }
      }}
      onInputChange={(text) => {
        setTyped(text);
        if (text === "") {
          onChange(undefined);
        }
      }}
      value={value ?? null}
    >
      <Label>Card</Label>
      <ComboBox.InputGroup>
        <Input placeholder="Last four or name" />
        <ComboBox.Trigger />
      </ComboBox.InputGroup>
      <ComboBox.Popover>
        <ListBox
          renderEmptyState={() => (
            <p className="text-muted p-3 text-center">{explainEmpty(found)}</p>
          )}
        >
          {cards.map((card) => (
            <ListBox.Item id={card.id} key={card.id} textValue={toName(card)}>
              <Label>{toName(card)}</Label>
              <ListBox.ItemIndicator />
            </ListBox.Item>
          ))}
        </ListBox>
      </ComboBox.Popover>
    </ComboBox>
  );
}

type Card = AnswerOf<typeof OPERATIONS.listCards>[number];

function useFoundCards(search: string) {
  return useQuery({
    queryKey: ["card-picker", search],
    queryFn: ({ signal }) =>
      callApi(
        OPERATIONS.listCards,
        { query: { limit: SHOWN, search: search || undefined } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
}

/** The card with this id, and a function that remembers the next chosen card, so that its name need not be fetched. */
function useChosenCard(id: string | undefined) {
  const queryClient = useQueryClient();
  const { data } = useQuery({
    queryKey: [CHOSEN, id],
    queryFn:
      id === undefined
        ? skipToken
        : ({ signal }) => callApi(OPERATIONS.getCard, { id }, { signal }),
  });
  return [data, (card: Card) => queryClient.setQueryData([CHOSEN, card.id], card)] as const;
}

function toName({ card_name: name, last4 }: Card): string {
  return `${name} · ${last4}`;
}

function explainEmpty({ isError, isFetching }: { isError: boolean; isFetching: boolean }): string {
  if (isError) {
    return "Couldn't search cards.";
  }
  return isFetching ? "Searching…" : "No cards found.";
}
