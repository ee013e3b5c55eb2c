"use client";

import { NotebookPen } from "lucide-react";
import { DialogButton } from "../client/dialog-button.tsx";
import { fetched } from "../client/fetched.tsx";

const NoteDialog = fetched(() => import("./note-dialog.tsx").then((loaded) => loaded.NoteDialog));

/** Asks for a note on a card, or on one of its transactions. */
export function AddNote({
  disabledReason,
  ...about
}: {
  cardId: string;
  /** Null for a note on the card itself. */
  transactionId: string | null;
  disabledReason: string | null;
}) {
  return (
    <DialogButton
      about={about}
      dialog={NoteDialog}
      disabledReason={disabledReason}
      size="sm"
      variant="secondary"
    >
      <NotebookPen aria-hidden />
      Add note
    </DialogButton>
  );
}
