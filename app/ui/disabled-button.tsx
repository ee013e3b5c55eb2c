"use client";

import { Button, Tooltip } from "@heroui/react";
import { Children } from "react";
import type { ComponentProps, ReactNode } from "react";

/**
 * A button that cannot be pressed and says why. It stays focusable, so that the reason reaches people without a mouse:
 * it is part of the button's name.
 */
export function DisabledButton({
  disabledReason,
  children,
  ...rest
}: {
  disabledReason: string;
  children: ReactNode;
} & Omit<ComponentProps<typeof Button>, "children">) {
  return (
    <Tooltip delay={0}>
      <Button
        {...rest}
        aria-disabled="true"
        aria-label={toLabel(children, disabledReason)}
        type="button"
      >
        {children}
      </Button>
      <Tooltip.Content className="max-w-72">{disabledReason}</Tooltip.Content>
    </Tooltip>
  );
}

/** The button's own words, then why not. */
function toLabel(children: ReactNode, disabledReason: string): string {
  const words = Children.toArray(children).filter((child) => typeof child === "string");
  return [...words, disabledReason].join(": ");
}
