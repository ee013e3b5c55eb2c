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
import { Choice } from "../../../ui/choice.tsx";
import { FREEZE_LEVEL_NAMES } from "#lib/cards/card-state.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";

const isActive = ({ status }: CardResource) => status === "active";

/** Lifts one of the displayed freezes, and no other. */
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
  const form = useForm<{ comment: string; level: FreezeLevel }>(
    { comment: "", level: card.freeze?.level ?? "staff" },
    unfreeze.error,
  );
  const isLast = card.freezes.length <= 1;
  const submit = () => {
    const body = {
      comment: form.values.comment.trim() || null,
      level: form.values.level,
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
    <Dialog onClose={onClose} title={`Unfreeze ${toCardTitle(card.card_name, card.last4)}`}>
      <DialogForm
        action={isLast ? "Unfreeze card" : "Lift freeze"}
        error={unfreeze.error}
        isPending={unfreeze.isPending}
        onCancel={onClose}
        onSubmit={submit}
      >
        <FreezeNotice card={card} />
        {!isLast && (
          <Choice
            error={form.errors["level"]}
            label="Freeze to lift"
            onChange={(level) => form.set("level", level)}
            options={card.freezes.map(({ level: id }) => ({ id, name: FREEZE_LEVEL_NAMES[id] }))}
            value={form.values.level}
          />
        )}
        <p className="text-muted">
          {isLast
            ? "New transactions are approved again, up to the available balance."
            : "The card stays frozen until every freeze is lifted or has ended."}
        </p>
        <CommentInput form={form} />
      </DialogForm>
    </Dialog>
  );
}
