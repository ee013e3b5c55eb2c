"use client";

import { useState } from "react";
import { OPERATIONS } from "../../../client/operations.ts";
import { useForm } from "../../../client/use-form.ts";
import { CheckboxGroup } from "../../../ui/checkbox-group.tsx";
import { toCardTitle } from "../../../ui/card-title.ts";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { CommentInput } from "../[id]/comment-input.tsx";
import { toFreezeText } from "../freeze-text.ts";
import { toCount, toPlan } from "./bulk-card.ts";
import type { BulkCard, Plan } from "./bulk-card.ts";
import { CardNames, SkippedCards } from "./card-names.tsx";
import { useBulkJob } from "./use-bulk-job.ts";
import { capitalize } from "#lib/base/capitalize.ts";

/**
 * Says which freezes will be lifted: only those that the person has seen. A freeze that protects its card is lifted
 * only if it is selected individually.
 */
export function BulkUnfreezeForm({
  cards: selected,
  onCancel,
}: {
  cards: readonly BulkCard[];
  onCancel: () => void;
}) {
  const job = useBulkJob();
  const form = useForm({ comment: "" }, job.error);
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const plan = toPlan("unfreeze", selected);
  const lifted = plan.protectedCards.filter(({ id }) => confirmed.includes(id));
  const cards = [...plan.plain, ...lifted];
  const submit = () => {
    const body = {
      operation: "unfreeze",
      comment: form.values.comment.trim() || null,
      items: cards.map(({ id, statusVersion }) => ({ card_id: id, status_version: statusVersion })),
    } as const;
    void form.send(OPERATIONS.createBulkJob, body, () => job.mutate({ body }));
  };
  return (
    <DialogForm
      action={cards.length > 0 ? `Unfreeze ${toCount(cards.length)}` : "Unfreeze"}
      disabledReason={cards.length > 0 ? null : toNothing(plan)}
      error={job.error}
      isPending={job.isPending}
      onCancel={onCancel}
      onSubmit={submit}
    >
      <p className="text-muted">
        New transactions on these cards are approved again, up to the available balance.
      </p>
      {plan.protectedCards.length > 0 && (
        <ProtectedCards cards={plan.protectedCards} confirmed={confirmed} onChange={setConfirmed} />
      )}
      <CommentInput form={form} />
      <CardNames cards={plan.plain} title={`To be unfrozen (${plan.plain.length})`} />
      <SkippedCards skipped={plan.skipped} />
    </DialogForm>
  );
}

/** Freezes for fraud, loss, theft, or compliance, each confirmed individually. */
function ProtectedCards({
  cards,
  confirmed,
  onChange,
}: {
  cards: readonly BulkCard[];
  confirmed: readonly string[];
  onChange: (ids: readonly string[]) => void;
}) {
  return (
    <div className="border-border bg-surface-secondary rounded-lg border p-3">
      <CheckboxGroup
        description="They stay frozen unless you select them."
        label={
          cards.length === 1
            ? "1 card was frozen to protect it"
            : `${cards.length} cards were frozen to protect them`
        }
        onChange={onChange}
        options={cards.map((card) => ({
          id: card.id,
          name: (
            <>
              <bdi className="block truncate font-medium">{toCardTitle(card.name, card.last4)}</bdi>
              <span className="text-declined block text-xs">{toReason(card)}</span>
            </>
          ),
        }))}
        value={confirmed}
      />
    </div>
  );
}

function toReason({ freeze }: BulkCard): string {
  return capitalize(freeze ? toFreezeText(freeze) : "frozen");
}

function toNothing({ protectedCards }: Plan): string {
  return protectedCards.length > 0
    ? "Select the cards to unfreeze."
    : "None of these cards can be unfrozen.";
}
