"use client";

import { Button, Tooltip } from "@heroui/react";
import { Children } from "react";
import type { ComponentProps, ReactNode } from "react";

/**
 * A button that says why it cannot be pressed. It stays focusable, so that the reason reaches people without a mouse:
 * it is the button's description too.
 */
export function GuardedButton({
  obstacle,
  children,
  onPress,
  ...rest
}: {
  obstacle: string | null;
  children: ReactNode;
} & Omit<ComponentProps<typeof Button>, "children" | "isDisabled">) {
  if (obstacle === null) {
    return (
      <Button {...rest} {...(onPress ? { onPress } : {})}>
        {children}
      </Button>
    );
  }
  return (
    <Tooltip delay={0}>
      <Button {...rest} aria-disabled="true" aria-label={toLabel(children, obstacle)}>
        {children}
      </Button>
      <Tooltip.Content className="max-w-72">{obstacle}</Tooltip.Content>
    </Tooltip>
  );
}

/** The button's own words, then why not. */
function toLabel(children: ReactNode, obstacle: string): string {
  const words = Children.toArray(children).filter((child) => typeof child === "string");
  return [...words, obstacle].join(": ");
}
