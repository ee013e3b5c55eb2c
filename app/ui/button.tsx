"use client";

import { buttonVariants } from "@heroui/styles";
import type { ComponentProps, MouseEvent } from "react";

type Native = Pick<
  ComponentProps<"button">,
  | "aria-controls"
  | "aria-disabled"
  | "aria-expanded"
  | "aria-keyshortcuts"
  | "aria-label"
  | "autoFocus"
  | "children"
  | "className"
  | "onFocus"
  | "onPointerEnter"
  | "title"
  | "type"
>;

export interface ButtonProps extends Native {
  variant?:
    | "primary"
    | "secondary"
    | "tertiary"
    | "outline"
    | "ghost"
    | "danger"
    | "danger-soft"
    | undefined;
  size?: "sm" | "md" | undefined;
  isIconOnly?: boolean | undefined;
  fullWidth?: boolean | undefined;
  isDisabled?: boolean;
  /** While its action is in progress: it keeps the focus, and does nothing. */
  isPending?: boolean;
  onPress?: () => void;
}

/**
 * A button that looks like the component library's, without its code, which every page would load. The library's menus and
 * tooltips open only from its own button: where one does, it is imported as `TriggerButton`.
 */
export function Button({
  variant,
  size,
  isIconOnly,
  fullWidth,
  isDisabled,
  isPending = false,
  type = "button",
  className,
  onPress,
  ...rest
}: ButtonProps) {
  const press = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    // Safari does not focus a clicked button; a dialog returns the focus to what opened it.
    currentTarget.focus();
    onPress?.();
  };
  return (
    <button
      {...rest}
      {...(isPending ? { "aria-disabled": true, "data-pending": true } : {})}
      className={buttonVariants({ variant, size, isIconOnly, fullWidth, className })}
      disabled={isDisabled}
      onClick={isPending ? undefined : press}
      type={isPending ? "button" : type}
    />
  );
}
