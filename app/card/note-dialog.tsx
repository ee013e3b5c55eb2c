"use client";

import { DialogForm } from "../client/dialog-form.tsx";
import { notify } from "../client/notice-store.ts";
import { OPERATIONS } from "../client/operations.ts";
import { useOperationForm } from "../client/use-operation-form.ts";
import { Dialog } from "../ui/dialog.tsx";
import { TextInput } from "../ui/text-input.tsx";
import { NOTE_LENGTH_MAX } from "#lib/cards/note-length.ts";

/** Writes a note. A note cannot be changed later, so the dialog says so first. */
export function NoteDialog({
  cardId,
  transactionId,
  onClose,
}: {
  cardId: string;
  transactionId: string | null;
  onClose: () => void;
}) {
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.createNote,
    { comment: "" },
    () => {
      onClose();
      notify("Note added");
    },
  );
  const body = { comment: form.values.comment.trim(), transaction_id: transactionId };
  const subject = transactionId === null ? "card" : "transaction";
  return (
    <Dialog onClose={onClose} title={`Add a note to this ${subject}`}>
      <DialogForm
        action="Add note"
        error={error}
        isPending={isPending}
        onCancel={onClose}
        onSubmit={() => submit({ id: cardId, body })}
      >
        <p className="text-muted">
          Everyone on your team can read it, and nobody can change or delete it.
        </p>
        <TextInput
          description={`At most ${NOTE_LENGTH_MAX} characters.`}
          error={form.errors["comment"]}
          isRequired
          label="Note"
          maxLength={NOTE_LENGTH_MAX}
          onChange={(comment) => form.set("comment", comment)}
          rows={5}
          value={form.values.comment}
        />
      </DialogForm>
    </Dialog>
  );
}
