"use client";

import { Label, ListBox, Select } from "@heroui/react";

/** The options of a select's list. */
export function Options({ options }: { options: readonly { id: string; name: string }[] }) {
  return (
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
  );
}
