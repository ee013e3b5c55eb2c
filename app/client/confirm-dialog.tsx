"use client";

import { Dialog } from "../ui/dialog.tsx";
import { CONFIRM_TITLE } from "../ui/dialog-host.ts";

/** Asks for a fresh sign-in when no dialog is open that could ask. */
export function ConfirmDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} size="sm" title={CONFIRM_TITLE}>
      {null}
    </Dialog>
  );
}
