"use client";

import { Button, Label, ListBox, SearchField, Select } from "@heroui/react";
import { X } from "lucide-react";
import { debounce, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { CARD_STATUSES } from "#lib/card-state.ts";

const TYPING_MS = 250;

const NAMES = { all: "Any status", active: "Active", frozen: "Frozen", closed: "Closed" } as const;

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
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
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
      <Select
        aria-label="Status"
        className="w-36"
        onChange={(key) =>
          void setFilters({
            status: CARD_STATUSES.find((status) => status === key) ?? null,
            cursor: null,
          })
        }
        value={filters.status ?? "all"}
      >
        <Select.Trigger>
          <Select.Value />
          <Select.Indicator />
        </Select.Trigger>
        <Select.Popover>
          <ListBox>
            {Object.entries(NAMES).map(([id, name]) => (
              <ListBox.Item id={id} key={id} textValue={name}>
                <Label>{name}</Label>
                <ListBox.ItemIndicator />
              </ListBox.Item>
            ))}
          </ListBox>
        </Select.Popover>
      </Select>
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
