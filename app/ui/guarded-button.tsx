"use client";

import { Button } from "@heroui/react";
import { lazy, Suspense } from "react";
import type { ComponentProps, ReactNode } from "react";

// Most people may press most buttons: what explains the others comes with the first of them.
const ObstructedButton = lazy(async () => ({
  default: (await import("./obstructed-button.tsx")).ObstructedButton,
}));

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
    const plain = (
      <Button {...rest} aria-disabled="true" type="button">
        {children}
      </Button>
    );
    return (
      <Suspense fallback={plain}>
        <ObstructedButton {...rest} obstacle={obstacle}>
          {children}
        </ObstructedButton>
      </Suspense>
    );
  }
  return (
    <Button {...rest} {...(onPress ? { onPress } : {})}>
      {children}
    </Button>
  );
}
