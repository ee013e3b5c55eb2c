"use client";

import { Dialog } from "../ui/dialog.tsx";
import { CONFIRM_TITLE } from "../ui/dialog-host.ts";

/** Where no dialog is open that could ask: one of its own, which shows the form as every dialog does. */
export function ConfirmDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} size="sm" title={CONFIRM_TITLE}>
      {null}
    </Dialog>
  );
}
