"use client";

import { notify } from "../../../client/notice-store.ts";
import { useForm } from "../../../client/use-form.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../ui/dialog-form.tsx";
import { CommentInput } from "./comment-input.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import type { CardResource } from "./acts.ts";

/** Lifts a freeze. */
export function UnfreezeDialog({
  card,
  onClose,
  onChanged,
}: {
  card: CardResource;
  onClose: () => void;
  onChanged: (card: CardResource) => void;
}) {
  const unfreeze = useOperation(OPERATIONS.unfreezeCard, (unfrozen) => {
    onChanged(unfrozen);
    onClose();
    notify("Card unfrozen. New transactions are allowed.");
  });
  const form = useForm({ comment: "" }, unfreeze.error);
  const submit = () => {
    const body = { comment: form.values.comment.trim() || null };
    void form.send(OPERATIONS.unfreezeCard, body, () => unfreeze.mutate({ id: card.id, body }));
  };
  return (
    <Dialog isOpen onClose={onClose} title="Unfreeze this card">
      <DialogForm
        action="Unfreeze card"
        error={unfreeze.error}
        isPending={unfreeze.isPending}
        onCancel={onClose}
        onSubmit={submit}
      >
        <p className="text-muted">
          New transactions are approved again, up to the available balance.
        </p>
        <CommentInput form={form} />
      </DialogForm>
    </Dialog>
  );
}
