"use client";

import { lazy, Suspense } from "react";
import { Button } from "./button.tsx";
import type { ButtonProps } from "./button.tsx";

// Most people may press most buttons: what explains the others comes with the first of them.
const DisabledButton = lazy(async () => ({
  default: (await import("./disabled-button.tsx")).DisabledButton,
}));

/** A button that says why where it cannot be pressed. */
export function GuardedButton({
  disabledReason,
  ...button
}: Omit<ButtonProps, "aria-disabled" | "isDisabled"> & { disabledReason: string | null }) {
  if (disabledReason === null) {
    return <Button {...button} />;
  }
  const plain = <Button {...button} aria-disabled onPress={() => undefined} type="button" />;
  return (
    <Suspense fallback={plain}>
      <DisabledButton {...button} disabledReason={disabledReason} />
    </Suspense>
  );
}
