"use client";

import { lazy, Suspense } from "react";
import { Button } from "./button.tsx";
import type { ButtonProps } from "./button.tsx";

interface DisabledProps extends Omit<ButtonProps, "aria-disabled" | "isDisabled"> {
  disabledReason: string;
}

// Most people may press most buttons: what explains the others comes with the first of them. Where it cannot be fetched,
// the browser explains: a script that is missing here must not take the page away.
const DisabledButton = lazy(async () => ({
  default: await import("./disabled-button.tsx").then(
    (loaded) => loaded.DisabledButton,
    () => PlainDisabledButton,
  ),
}));

/** A button that says why where it cannot be pressed. */
export function GuardedButton({
  disabledReason,
  ...button
}: Omit<DisabledProps, "disabledReason"> & { disabledReason: string | null }) {
  if (disabledReason === null) {
    return <Button {...button} />;
  }
  const disabled = { ...button, disabledReason };
  return (
    <Suspense fallback={<PlainDisabledButton {...disabled} />}>
      <DisabledButton {...disabled} />
    </Suspense>
  );
}

function PlainDisabledButton({ disabledReason, className = "", ...button }: DisabledProps) {
  return (
    <Button
      {...button}
      aria-disabled
      className={`pointer-events-auto ${className}`}
      onPress={() => undefined}
      title={disabledReason}
      type="button"
    />
  );
}
