"use client";

import { Button } from "@heroui/react";
import dynamic from "next/dynamic";
import type { ComponentProps, ReactNode } from "react";

// Most people may press most buttons: what explains the others comes with the first of them.
const ObstructedButton = dynamic(() =>
  import("./obstructed-button.tsx").then((loaded) => loaded.ObstructedButton),
);

/** A button that says why where it cannot be pressed. */
export function GuardedButton({
  obstacle,
  children,
  onPress,
  ...rest
}: {
  obstacle: string | null;
  children: ReactNode;
} & Omit<ComponentProps<typeof Button>, "children" | "isDisabled">) {
  if (obstacle !== null) {
    return (
      <ObstructedButton {...rest} obstacle={obstacle}>
        {children}
      </ObstructedButton>
    );
  }
  return (
    <Button {...rest} {...(onPress ? { onPress } : {})}>
      {children}
    </Button>
  );
}
