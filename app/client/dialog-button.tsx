"use client";

import { useState } from "react";
import type { ComponentProps } from "react";
import type { Fetched } from "./fetched.tsx";
import { GuardedButton } from "../ui/guarded-button.tsx";

type ButtonProps = Omit<
  ComponentProps<typeof GuardedButton>,
  "disabledReason" | "onFocus" | "onPointerEnter" | "onPress"
>;

/**
 * A button that opens a dialog. The dialog's script is loaded once somebody points at the button or focuses it, so that
 * the dialog usually opens at once.
 */
export function DialogButton<About extends object>({
  dialog: Dialog,
  about,
  disabledReason = null,
  ...button
}: ButtonProps & {
  dialog: Fetched<NoInfer<About> & { onClose: () => void }>;
  /** The dialog's other props. */
  about: About;
  disabledReason?: string | null;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GuardedButton
        {...button}
        disabledReason={disabledReason}
        onFocus={Dialog.preload}
        onPointerEnter={Dialog.preload}
        onPress={() => setOpen(true)}
      />
      {isOpen && <Dialog {...about} onClose={() => setOpen(false)} />}
    </>
  );
}
