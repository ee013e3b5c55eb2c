"use client";

import type { ComponentProps, MouseEvent } from "react";
import { toButtonClass } from "./button-class.ts";
import type { ButtonLook } from "./button-class.ts";

type Native = Pick<
  ComponentProps<"button">,
  | "aria-controls"
  | "aria-disabled"
  | "aria-expanded"
  | "aria-keyshortcuts"
  | "aria-label"
  | "autoFocus"
  | "children"
  | "onFocus"
  | "onKeyDown"
  | "onPointerEnter"
  | "title"
  | "type"
>;

export interface ButtonProps extends Native, ButtonLook {
  isDisabled?: boolean;
  /** Whether its action is in progress: the button then keeps the focus but does nothing. */
  isPending?: boolean;
  onPress?: () => void;
}

/** The browser's own button. Menus and tooltips need a `TriggerButton`, whose code no page should wait for. */
export function Button({
  variant,
  size,
  isIconOnly,
  className,
  isDisabled,
  isPending = false,
  type = "button",
  onPress,
  ...rest
}: ButtonProps) {
  const press = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    // Safari does not focus a clicked button, but a dialog must be able to return the focus to the button that opened
    // it.
    currentTarget.focus();
    onPress?.();
  };
  return (
    <button
      {...rest}
      {...(isPending ? { "aria-disabled": true, "data-pending": true } : {})}
      className={toButtonClass({ variant, size, isIconOnly, className })}
      disabled={isDisabled}
      onClick={isPending ? undefined : press}
      type={isPending ? "button" : type}
    />
  );
}
