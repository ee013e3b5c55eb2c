"use client";

import { useForm } from "../../../client/use-form.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { toCardTitle } from "../../../ui/card-title.ts";
import { afterStatusConflict } from "./after-status-conflict.ts";
import { CommentInput } from "./comment-input.tsx";
import { FreezeNotice } from "./freeze-notice.tsx";
import { useStatusNotice } from "./use-status-notice.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import type { CardResource } from "./acts.ts";

const isActive = ({ status }: CardResource) => status === "active";

/** Lifts the freeze that it shows, and no other. */
export function UnfreezeDialog({
  card,
  onClose,
  onChanged,
}: {
  card: CardResource;
  onClose: () => void;
  onChanged: (card: CardResource) => void;
}) {
  const notice = useStatusNotice(onChanged);
  const unfreeze = useOperation(OPERATIONS.unfreezeCard);
  const form = useForm({ comment: "" }, unfreeze.error);
  const submit = () => {
    const body = {
      comment: form.values.comment.trim() || null,
      status_version: card.status_version,
    };
    const onSuccess = (unfrozen: CardResource) => {
      onChanged(unfrozen);
      onClose();
      notice.unfrozen(unfrozen, card);
    };
    const onError = (error: unknown) =>
      void afterStatusConflict(card, error, { isDone: isActive, onChanged, onClose });
    void form.send(OPERATIONS.unfreezeCard, body, () =>
      unfreeze.mutate({ id: card.id, body }, { onSuccess, onError }),
    );
  };
  return (
    <Dialog isOpen onClose={onClose} title={`Unfreeze ${toCardTitle(card.card_name, card.last4)}`}>
      <DialogForm
        action="Unfreeze card"
        error={unfreeze.error}
        isPending={unfreeze.isPending}
        onCancel={onClose}
        onSubmit={submit}
      >
        <FreezeNotice card={card} />
        <p className="text-muted">
          New transactions are approved again, up to the available balance.
        </p>
        <CommentInput form={form} />
      </DialogForm>
    </Dialog>
  );
}
