"use client";

import { Label, ListBox, Select } from "@heroui/react";
import { parseAsString, useQueryStates } from "nuqs";

const EVERYBODY = "everybody";

/** Whose changes are shown; kept in the address. */
export function AuditFilters({ people }: { people: readonly { id: string; name: string }[] }) {
  const [filters, setFilters] = useQueryStates(
    { actor_id: parseAsString, cursor: parseAsString },
    { shallow: false, history: "replace" },
  );
  const options = [{ id: EVERYBODY, name: "Everybody" }, ...people];
  return (
    <Select
      aria-label="Changes by"
      className="w-52"
      onChange={(key) =>
        void setFilters({
          actor_id: people.find(({ id }) => id === key)?.id ?? null,
          cursor: null,
        })
      }
      value={filters.actor_id ?? EVERYBODY}
    >
      <Select.Trigger>
        <Select.Value />
        <Select.Indicator />
      </Select.Trigger>
      <Select.Popover>
        <ListBox>
          {options.map(({ id, name }) => (
            <ListBox.Item id={id} key={id} textValue={name}>
              <Label>{name}</Label>
              <ListBox.ItemIndicator />
            </ListBox.Item>
          ))}
        </ListBox>
      </Select.Popover>
    </Select>
  );
}
