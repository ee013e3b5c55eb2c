"use client";

import { toCardTitle } from "../../../ui/card-title.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import type { BulkAct } from "./bulk-card.ts";
import { BulkFreezeForm } from "./bulk-freeze-form.tsx";
import { BulkLimitForm } from "./bulk-limit-form.tsx";
import { BulkLiftForm } from "./bulk-lift-form.tsx";
import type { BulkTarget } from "./bulk-target.ts";
import { BulkUnfreezeForm } from "./bulk-unfreeze-form.tsx";

const VERBS = {
  freeze: "Freeze",
  unfreeze: "Unfreeze",
  limit: "Set spending controls of",
} as const;

/**
 * Confirms an action on many cards, and leads to the job that performs it. The selection is fixed when the dialog
 * opens: later changes of the list or its filter do not affect it.
 */
export function BulkDialog({
  act,
  target,
  currency,
  onClose,
}: {
  act: BulkAct;
  target: BulkTarget;
  currency: string;
  onClose: () => void;
}) {
  return (
    <Dialog onClose={onClose} title={`${VERBS[act]} ${toSubject(target)}`}>
      <BulkForm act={act} currency={currency} onCancel={onClose} target={target} />
    </Dialog>
  );
}

function BulkForm({
  act,
  target,
  currency,
  onCancel,
}: {
  act: BulkAct;
  target: BulkTarget;
  currency: string;
  onCancel: () => void;
}) {
  if (act === "freeze") {
    return <BulkFreezeForm onCancel={onCancel} target={target} />;
  }
  if (act === "limit") {
    return <BulkLimitForm currency={currency} onCancel={onCancel} target={target} />;
  }
  return "cards" in target ? (
    <BulkUnfreezeForm cards={target.cards} onCancel={onCancel} />
  ) : (
    <BulkLiftForm cards={target} onCancel={onCancel} />
  );
}

function toSubject(target: BulkTarget): string {
  if (!("cards" in target)) {
    return target.words;
  }
  const [card] = target.cards;
  return card && target.cards.length === 1
    ? toCardTitle(card.name, card.last4)
    : `${target.cards.length} selected cards`;
}
