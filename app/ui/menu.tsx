"use client";

import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  MenuTrigger,
} from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import type { PopoverProps } from "react-aria-components/Popover";
import type { Elements } from "./elements.ts";
import { ItemContent } from "./item-content.tsx";
import type { ItemProps } from "./item-content.tsx";

/** A button, and the menu that it opens. */
export function Menu({
  button,
  label,
  placement,
  isOpenAtFirst = false,
  isFirstFocused = false,
  onAction,
  children,
}: {
  /** A `TriggerButton`. */
  button: Elements;
  label: string;
  placement: NonNullable<PopoverProps["placement"]>;
  isOpenAtFirst?: boolean;
  /** Whether its first item gets the focus when it opens, as after an arrow key. */
  isFirstFocused?: boolean;
  /** Called with the id of the chosen item. */
  onAction: (id: string) => void;
  children: Elements;
}) {
  return (
    <MenuTrigger defaultOpen={isOpenAtFirst}>
      {button}
      <Popover className="popover min-w-56" placement={placement}>
        <AriaMenu
          {...(isFirstFocused ? { autoFocus: "first" as const } : {})}
          aria-label={label}
          className="menu"
          onAction={(key) => onAction(String(key))}
        >
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

/** An item of a menu. */
export function MenuItem({ isDisabled = false, ...item }: ItemProps & { isDisabled?: boolean }) {
  return (
    <AriaMenuItem className="menu-item" id={item.id} isDisabled={isDisabled} textValue={item.name}>
      {({ isSelected }) => <ItemContent {...item} isSelected={isSelected} />}
    </AriaMenuItem>
  );
}
