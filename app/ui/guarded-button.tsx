"use client";

import { lazy, Suspense } from "react";
import { Button } from "./button.tsx";
import type { ButtonProps } from "./button.tsx";

interface DisabledProps extends Omit<ButtonProps, "aria-disabled" | "isDisabled"> {
  disabledReason: string;
}

// Most people may press most buttons, so the code that explains disabled buttons is loaded with the first of them. If
// it cannot be loaded, the browser's own tooltip explains: a missing script must not take down the page.
const DisabledButton = lazy(async () => ({
  default: await import("./disabled-button.tsx").then(
    (loaded) => loaded.DisabledButton,
    () => PlainDisabledButton,
  ),
}));

/** A button that says why it is disabled. */
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
