"use client";

import { useState } from "react";
import { OPERATIONS } from "../../../client/operations.ts";
import { useForm } from "../../../client/use-form.ts";
import { Choice } from "../../../ui/choice.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { CommentInput } from "../[id]/comment-input.tsx";
import { FREEZE_REASON_OPTIONS } from "../freeze-reasons.ts";
import { freezeSeen, undoStatus } from "../status-change.ts";
import type { WhyFrozen } from "../status-change.ts";
import { toFreezeText } from "../freeze-text.ts";
import { toCount } from "./bulk-card.ts";
import type { Plan } from "./bulk-card.ts";
import { CardNames, SkippedCards } from "./card-names.tsx";
import type { Job, JobFormProps } from "./use-bulk.ts";
import type { FreezeReason } from "#lib/cards/card-state.ts";

/** Asks for the reason to freeze these cards. */
export function BulkFreezeForm({ plan, onStart, onCancel }: JobFormProps) {
  const form = useForm<{ reason: FreezeReason | null; comment: string }>(
    { reason: null, comment: "" },
    null,
  );
  const [isTried, setTried] = useState(false);
  const { reason, comment } = form.values;
  const submit = () => {
    setTried(true);
    if (reason !== null) {
      const why = { reason, comment: comment.trim() || null, level: "staff" } as const;
      void form.send(OPERATIONS.freezeCard, why, () => onStart(toJob(plan, why)));
    }
  };
  const { plain } = plan;
  const isMissing = isTried && reason === null;
  return (
    <DialogForm
      action={plain.length > 0 ? `Freeze ${toCount(plain.length)}` : "Freeze"}
      disabledReason={plain.length > 0 ? null : "None of these cards can be frozen."}
      error={null}
      isPending={false}
      onCancel={onCancel}
      onSubmit={submit}
    >
      <p className="text-muted">
        New transactions on these cards are declined from the moment they are frozen. Earlier
        authorizations can still settle.
      </p>
      <Choice
        error={isMissing ? "Choose a reason." : form.errors["reason"]}
        label="Reason"
        onChange={(chosen) => form.set("reason", chosen)}
        options={FREEZE_REASON_OPTIONS}
        value={reason}
      />
      <CommentInput form={form} />
      <CardNames cards={plain} title={`To be frozen (${plain.length})`} />
      <SkippedCards skipped={plan.skipped} />
    </DialogForm>
  );
}

function toJob({ plain, skipped }: Plan, why: WhyFrozen): Job {
  return {
    verb: "Frozen",
    cards: plain,
    skipped,
    change: (card) => freezeSeen(card, why),
    toUnchanged: ({ freeze }) =>
      freeze
        ? `Already ${toFreezeText({ reason: freeze.reason, by: freeze.actor.name })}.`
        : "Already frozen.",
    undo: (_card, after) => undoStatus(after, { lift: why.level }),
  };
}
