"use client";

import { useState } from "react";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { useForm } from "../../../client/use-form.ts";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { CommentInput } from "../[id]/comment-input.tsx";
import { LevelChoice } from "../level-choice.tsx";
import type { UnseenCards } from "./bulk-target.ts";
import { useBulkJob } from "./use-bulk-job.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";

/** Asks which freezes to lift, for cards that the page does not show. */
export function BulkLiftForm({ cards, onCancel }: { cards: UnseenCards; onCancel: () => void }) {
  const job = useBulkJob();
  const form = useForm<{ level: FreezeLevel; comment: string }>(
    { level: "staff", comment: "" },
    job.error,
  );
  const [isConfirmed, setConfirmed] = useState(false);
  const submit = () => {
    const { level, comment } = form.values;
    const body = {
      operation: "unfreeze",
      ...cards.source,
      level,
      comment: comment.trim() || null,
    } as const;
    void form.send(OPERATIONS.createBulkJob, body, () => job.mutate({ body }));
  };
  return (
    <DialogForm
      action={`Unfreeze ${cards.short}`}
      disabledReason={
        isConfirmed ? null : "Confirm that freezes for fraud, loss, and theft are lifted too."
      }
      error={job.error}
      isPending={job.isPending}
      onCancel={onCancel}
      onSubmit={submit}
    >
      <p className="text-muted">
        New transactions on these cards are approved again, up to the available balance. A card with
        freezes of other levels stays frozen.
      </p>
      <LevelChoice form={form} />
      <CommentInput form={form} />
      <Checkbox isSelected={isConfirmed} onChange={setConfirmed}>
        Also lift freezes for fraud, loss, theft, and compliance
      </Checkbox>
    </DialogForm>
  );
}
