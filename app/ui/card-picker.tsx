"use client";

import { ComboBox, Input, Label, ListBox } from "@heroui/react";
import { keepPreviousData, skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { OPERATIONS } from "../client/operations.ts";
import { callApi } from "#lib/api/client.ts";
import type { AnswerOf } from "#lib/api/client.ts";

const SHOWN = "8";

/** One card, found by its last four digits or the name on it. */
export function CardPicker({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}) {
  const queryClient = useQueryClient();
  /** Null unless the person is searching. */
  const [typed, setTyped] = useState<string | null>(null);
  const search = typed?.trim() ?? "";
  const found = useQuery({
    queryKey: ["card-picker", search],
    queryFn: ({ signal }) =>
      callApi(
        OPERATIONS.listCards,
        { query: { limit: SHOWN, search: search || undefined } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  const cards = found.data ?? [];
  // It may not be among those that are found.
  const chosen = useQuery({
    queryKey: ["chosen-card", value],
    queryFn:
      value === undefined
        ? skipToken
        : ({ signal }) => callApi(OPERATIONS.getCard, { id: value }, { signal }),
  });
  return (
    <ComboBox
      allowsEmptyCollection
      fullWidth
      inputValue={typed ?? (chosen.data ? toName(chosen.data) : "")}
      // This is called when the list closes without a choice, too: the name of the chosen card comes back.
      onChange={(key) => {
        setTyped(null);
        const card = cards.find(({ id }) => id === key);
        if (card) {
          queryClient.setQueryData(["chosen-card", card.id], card);
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

function toName({ card_name: name, last4 }: AnswerOf<typeof OPERATIONS.listCards>[number]): string {
  return `${name} · ${last4}`;
}

function explainEmpty({ isError, isFetching }: { isError: boolean; isFetching: boolean }): string {
  if (isError) {
    return "Couldn't search cards.";
  }
  return isFetching ? "Searching…" : "No cards found.";
}
