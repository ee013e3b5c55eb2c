"use client";

import { NotebookPen } from "lucide-react";
import { useState } from "react";
import { fetched } from "../client/fetched.tsx";
import { GuardedButton } from "../ui/guarded-button.tsx";

const NoteDialog = fetched(() => import("./note-dialog.tsx").then((loaded) => loaded.NoteDialog));

/** Asks for a note on a card, or on one of its transactions. */
export function AddNote({
  cardId,
  transactionId,
  disabledReason,
}: {
  cardId: string;
  /** Null for a note on the card itself. */
  transactionId: string | null;
  disabledReason: string | null;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GuardedButton
        disabledReason={disabledReason}
        onPress={() => setOpen(true)}
        size="sm"
        variant="secondary"
      >
        <NotebookPen aria-hidden />
        Add note
      </GuardedButton>
      {isOpen && (
        <NoteDialog cardId={cardId} onClose={() => setOpen(false)} transactionId={transactionId} />
      )}
    </>
  );
}
