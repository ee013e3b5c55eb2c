"use client";

import { toCardTitle } from "../../../ui/card-title.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { toPlan } from "./bulk-card.ts";
import type { BulkAct, BulkCard } from "./bulk-card.ts";
import { BulkFreezeForm } from "./bulk-freeze-form.tsx";
import { BulkResults } from "./bulk-results.tsx";
import { BulkUnfreezeForm } from "./bulk-unfreeze-form.tsx";
import { toUndo, useBulk } from "./use-bulk.ts";

const VERBS = { freeze: "Freeze", unfreeze: "Unfreeze" } as const;

/**
 * Confirms an action on the selected cards, runs it, and shows each result. The cards are those that were selected when
 * it opened: neither changes of the list behind it nor its filter matter.
 */
export function BulkDialog({
  act,
  cards,
  onClose,
}: {
  act: BulkAct;
  cards: readonly BulkCard[];
  /** Receives whether anything was done. */
  onClose: (isDone: boolean) => void;
}) {
  const { run, start, stop } = useBulk();
  const close = () => (run?.isRunning ? stop() : onClose(run !== null));
  const plan = toPlan(act, cards);
  const Form = act === "freeze" ? BulkFreezeForm : BulkUnfreezeForm;
  return (
    <Dialog isOpen onClose={close} title={`${VERBS[act]} ${toSubject(cards)}`}>
      {run ? (
        <BulkResults onClose={close} onStop={stop} onUndo={() => start(toUndo(run))} run={run} />
      ) : (
        <Form onCancel={close} onStart={start} plan={plan} />
      )}
    </Dialog>
  );
}

function toSubject(cards: readonly BulkCard[]): string {
  const [card] = cards;
  return card && cards.length === 1
    ? toCardTitle(card.name, card.last4)
    : `${cards.length} selected cards`;
}
