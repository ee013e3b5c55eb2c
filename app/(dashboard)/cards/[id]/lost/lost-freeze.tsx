"use client";

import { CommentInput } from "../comment-input.tsx";
import type { CardResource } from "../acts.ts";
import { FreezeNotice } from "../freeze-notice.tsx";
import { LevelChoice } from "../../level-choice.tsx";
import { LOST_REASONS } from "./lost-case.ts";
import type { LostStep } from "./lost-case.ts";
import { DialogForm } from "../../../../client/dialog-form.tsx";
import { OPERATIONS } from "../../../../client/operations.ts";
import { useForm } from "../../../../client/use-form.ts";
import { useOperation } from "../../../../client/use-operation.ts";
import { RadioGroup } from "../../../../ui/radio-group.tsx";
import { FREEZE_REASON_NAMES } from "#lib/cards/card-state.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";

const REASONS = LOST_REASONS.map((id) => ({ id, name: FREEZE_REASON_NAMES[id] }));

interface FreezeForm extends Record<string, unknown> {
  reason: (typeof LOST_REASONS)[number] | null;
  level: FreezeLevel;
  comment: string;
}

const EMPTY: FreezeForm = { reason: null, level: "staff", comment: "" };

/** The first step: freezes the card, whatever may have happened to it. */
export function LostFreeze({
  card,
  lost,
  onLost,
  onClose,
  onChanged,
}: LostStep & { onChanged: (card: CardResource) => void }) {
  const freeze = useOperation(OPERATIONS.freezeCard, (frozen) => {
    onLost({ ...lost, freeze: frozen.freeze });
    onChanged(frozen);
  });
  const form = useForm(EMPTY, freeze.error);
  const { reason, level, comment } = form.values;
  const submit = () => {
    const body = { reason, level, comment: comment.trim() || null };
    void form.send(OPERATIONS.freezeCard, body, () => freeze.mutate({ id: card.id, body }));
  };
  return (
    <DialogForm
      action="Freeze card"
      disabledReason={reason === null ? "Choose what happened first." : null}
      error={freeze.error}
      isPending={freeze.isPending}
      onCancel={onClose}
      onSubmit={submit}
    >
      <FreezeNotice card={card} />
      <p>
        New purchases are declined as soon as the card is frozen. Then you look through its
        purchases and replace it.
      </p>
      <RadioGroup
        error={form.errors["reason"]}
        label="What happened"
        onChange={(chosen) => form.set("reason", chosen)}
        options={REASONS}
        value={reason}
      />
      <LevelChoice form={form} />
      <CommentInput form={form} />
    </DialogForm>
  );
}
