"use client";

import { Checkbox, CheckboxGroup, Description, Label } from "@heroui/react";
import { useState } from "react";
import { OPERATIONS } from "../../../client/operations.ts";
import { useForm } from "../../../client/use-form.ts";
import { toCardTitle } from "../../../ui/card-title.ts";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { CommentInput } from "../[id]/comment-input.tsx";
import { undoStatus, unfreezeSeen } from "../status-change.ts";
import type { WhyFrozen } from "../status-change.ts";
import { toFreezeText } from "../freeze-text.ts";
import { toCount } from "./bulk-card.ts";
import type { BulkCard, Plan, SeenFreeze, Skipped } from "./bulk-card.ts";
import { CardNames, SkippedCards } from "./card-names.tsx";
import type { Job, JobFormProps } from "./use-bulk.ts";

/** Says which freezes will be lifted. One that protects the card is lifted only if it is selected by name. */
export function BulkUnfreezeForm({ plan, onStart, onCancel }: JobFormProps) {
  const form = useForm({ comment: "" }, null);
  const [confirmed, setConfirmed] = useState<readonly string[]>([]);
  const lifted = plan.protectedCards.filter(({ id }) => confirmed.includes(id));
  const cards = [...plan.plain, ...lifted];
  const submit = () => {
    const comment = form.values.comment.trim() || null;
    const kept = plan.protectedCards.filter((card) => !lifted.includes(card));
    const skipped = [...plan.skipped, ...kept.map(toKept)];
    void form.send(OPERATIONS.unfreezeCard, { comment }, () =>
      onStart(toJob(cards, skipped, comment)),
    );
  };
  return (
    <DialogForm
      action={cards.length > 0 ? `Unfreeze ${toCount(cards.length)}` : "Unfreeze"}
      disabledReason={cards.length > 0 ? null : toNothing(plan)}
      error={null}
      isPending={false}
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
    <CheckboxGroup
      className="checkbox-group--rows border-border bg-surface-secondary flex flex-col gap-2 rounded-lg border p-3"
      onChange={onChange}
      value={[...confirmed]}
    >
      <Label>
        {cards.length === 1
          ? "1 card was frozen to protect it"
          : `${cards.length} cards were frozen to protect them`}
      </Label>
      <Description>They stay frozen unless you select them.</Description>
      {cards.map((card) => (
        <Checkbox key={card.id} value={card.id}>
          <Checkbox.Content>
            <Checkbox.Control>
              <Checkbox.Indicator />
            </Checkbox.Control>
            <Label className="min-w-0">
              <bdi className="block truncate">{toCardTitle(card.name, card.last4)}</bdi>
              <span className="text-declined block text-xs font-normal">{toReason(card)}</span>
            </Label>
          </Checkbox.Content>
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}

function toReason({ freeze }: BulkCard): string {
  const text = freeze ? toFreezeText(freeze) : "frozen";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function toKept(card: BulkCard): Skipped {
  return { card, why: `Left frozen. ${toReason(card)}.` };
}

function toWhy(freeze: SeenFreeze | null): WhyFrozen {
  const { reason = null, comment = null, level = "staff", until = null } = freeze ?? {};
  return { reason, comment, level, until };
}

function toNothing({ protectedCards }: Plan): string {
  return protectedCards.length > 0
    ? "Select the cards to unfreeze."
    : "None of these cards can be unfrozen.";
}

function toJob(
  cards: readonly BulkCard[],
  skipped: readonly Skipped[],
  comment: string | null,
): Job {
  return {
    verb: "Unfrozen",
    cards,
    skipped,
    change: (card) => unfreezeSeen(card, { level: card.freeze?.level, comment }),
    toUnchanged: () => "Not frozen.",
    undo: ({ freeze }, after) => undoStatus(after, { freeze: toWhy(freeze) }),
  };
}
