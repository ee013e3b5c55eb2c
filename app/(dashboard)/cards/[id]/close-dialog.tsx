"use client";

import { useForm } from "../../../client/use-form.ts";
import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { Money } from "../../../ui/money.tsx";
import { toCardTitle } from "../../../ui/card-title.ts";
import { CommentInput } from "./comment-input.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import type { CardResource } from "./acts.ts";

/** Closes a card for good. */
export function CloseDialog({
  card,
  currency,
  onClose,
}: {
  card: CardResource;
  currency: string;
  onClose: () => void;
}) {
  const close = useOperation(OPERATIONS.closeCard, () => {
    onClose();
    notify("Card closed");
  });
  const form = useForm({ comment: "" }, close.error);
  const submit = () => {
    const body = { comment: form.values.comment.trim() || null };
    void form.send(OPERATIONS.closeCard, body, () => close.mutate({ id: card.id, body }));
  };
  return (
    <Dialog
      onClose={onClose}
      title={`Close ${toCardTitle(card.card_name, card.last4)} permanently`}
    >
      <DialogForm
        action="Close card"
        error={close.error}
        isDanger
        isPending={close.isPending}
        onCancel={onClose}
        onSubmit={submit}
      >
        <p>
          <span>A closed card can't be used or reopened.</span>{" "}
          {card.available > 0 && (
            <>
              <Money amount={card.available} currency={currency} />{" "}
              <span>returns to the float.</span>
            </>
          )}
        </p>
        {card.held > 0 && (
          <p>
            <Money amount={card.held} currency={currency} />{" "}
            <span>
              stays on hold for open authorizations. Captures still take it; the rest returns to the
              float.
            </span>
          </p>
        )}
        <CommentInput form={form} />
      </DialogForm>
    </Dialog>
  );
}
