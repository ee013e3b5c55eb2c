"use client";

import { ListBoxItem } from "react-aria-components/ListBox";
import { ItemContent } from "./item-content.tsx";
import type { ItemProps } from "./item-content.tsx";

/** An item of a list box, such as the options of a field. */
export function ListItem({
  textValue,
  className = "",
  ...item
}: ItemProps & { textValue?: string; className?: string }) {
  return (
    <ListBoxItem
      className={`menu-item ${className}`}
      id={item.id}
      textValue={textValue ?? item.name}
    >
      {({ isSelected }) => <ItemContent {...item} isSelected={isSelected} />}
    </ListBoxItem>
  );
}
