"use client";

import { Button } from "@heroui/react";
import { lazy, Suspense } from "react";
import type { ComponentProps, ReactNode } from "react";

// Most people may press most buttons: what explains the others comes with the first of them.
const DisabledButton = lazy(async () => ({
  default: (await import("./disabled-button.tsx")).DisabledButton,
}));

/** A button that says why where it cannot be pressed. */
export function GuardedButton({
  disabledReason,
  children,
  onPress,
  ...rest
}: {
  disabledReason: string | null;
  children: ReactNode;
  className?: string;
} & Omit<ComponentProps<typeof Button>, "children" | "className" | "isDisabled">) {
  if (disabledReason !== null) {
    const plain = (
      <Button {...rest} aria-disabled="true" type="button">
        {children}
      </Button>
    );
    return (
      <Suspense fallback={plain}>
        <DisabledButton {...rest} disabledReason={disabledReason}>
          {children}
        </DisabledButton>
      </Suspense>
    );
  }
  return (
    <Button {...rest} {...(onPress ? { onPress } : {})}>
      {children}
    </Button>
  );
}
