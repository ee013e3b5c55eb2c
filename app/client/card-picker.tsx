"use client";

import { keepPreviousData, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { SuggestingField } from "../ui/suggesting-field.tsx";
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
  return (
    <SuggestingField
      allowsEmptyCollection
      // The server does the search. Until it answers, the options that match stay.
      defaultFilter={(name, text) =>
        !found.isPlaceholderData || name.toLowerCase().includes(text.toLowerCase())
      }
      inputValue={typed ?? (chosen ? toName(chosen) : "")}
      label="Card"
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
      placeholder="Last four or name"
      renderEmptyState={() => <p className="text-muted p-3 text-center">{explainEmpty(found)}</p>}
      suggestions={cards.map((card) => ({ id: card.id, name: toName(card) }))}
      value={value ?? null}
    />
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
