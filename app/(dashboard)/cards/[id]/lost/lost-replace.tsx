"use client";

import { useState } from "react";
import type { CardResource } from "../acts.ts";
import { FreezeNotice } from "../freeze-notice.tsx";
import { LostPurchases } from "./lost-purchases.tsx";
import type { CasePurchase, LostCase, LostStep, Outcome } from "./lost-case.ts";
import { DialogForm } from "../../../../client/dialog-form.tsx";
import { OPERATIONS } from "../../../../client/operations.ts";
import { useOperation } from "../../../../client/use-operation.ts";
import type { DisabledReasons } from "../../../../transaction/decline-notice.tsx";
import { RadioGroup } from "../../../../ui/radio-group.tsx";
import { formatMoney } from "#lib/base/money.ts";
import { FREEZE_REASON_NAMES } from "#lib/cards/card-state.ts";

type Next = "move" | "replace" | "withdraw" | "none";

const ACTIONS: Readonly<Record<Next, string>> = {
  move: "Replace card",
  replace: "Replace card",
  withdraw: "Withdraw all",
  none: "Finish",
};

/** The purchases that somebody else may have made, and what happens to the card and its balance. */
export function LostReplace({
  card,
  lost,
  onLost,
  onClose,
  disabledReasons,
}: LostStep & { disabledReasons: DisabledReasons }) {
  const mayMove = card.available > 0 && disabledReasons.funds === null;
  const [next, setNext] = useState<Next>(mayMove ? "move" : "replace");
  const note = useOperation(OPERATIONS.createNote);
  const replace = useOperation(OPERATIONS.replaceCard);
  const withdraw = useOperation(OPERATIONS.debitCard);
  const finish = async (): Promise<Outcome> => {
    if (next === "none") {
      return { kind: "frozen" };
    }
    if (next === "withdraw") {
      const left = await withdraw.mutateAsync({ body: { card_id: card.id, amount: "all" } });
      return { kind: "withdrawn", amount: card.balance - left.balance };
    }
    const body = { move_balance: next === "move", comment: toComment(card) };
    const { data } = await replace.mutateAsync({ id: card.id, body });
    return { kind: "replaced", by: data };
  };
  const submit = async () => {
    const unnoted = lost.suspicious.filter(({ id }) => !lost.noted.includes(id));
    const noted = [...lost.noted];
    const toCase = (): LostCase => ({
      ...lost,
      noted: [...noted],
      freeze: card.freeze ?? lost.freeze,
    });
    for (const purchase of unnoted) {
      await note.mutateAsync({ id: card.id, body: toNote(card, purchase) });
      noted.push(purchase.id);
      onLost(toCase());
    }
    onLost({ ...toCase(), outcome: await finish() });
  };
  return (
    <DialogForm
      action={ACTIONS[next]}
      error={note.error ?? replace.error ?? withdraw.error}
      isPending={note.isPending || replace.isPending || withdraw.isPending}
      onCancel={onClose}
      // Each operation shows its own refusal.
      onSubmit={() => void submit().catch(() => undefined)}
    >
      <FreezeNotice card={card} />
      <LostPurchases
        cardId={card.id}
        noted={lost.noted}
        onMark={(suspicious) => onLost({ ...lost, suspicious })}
        suspicious={lost.suspicious}
      />
      <RadioGroup
        description={toConsequences(card)}
        label="What becomes of the card"
        onChange={setNext}
        options={toOptions(card, mayMove)}
        value={next}
      />
    </DialogForm>
  );
}

function toOptions({ available, currency, status }: CardResource, mayMove: boolean) {
  const amount = formatMoney(available, currency);
  const replace = {
    id: "replace" as const,
    name:
      available > 0
        ? `Replace it; ${amount} returns to the float`
        : "Replace it with a new card, which is empty",
  };
  return [
    ...(mayMove
      ? [{ id: "move" as const, name: `Replace it, and move ${amount} to the new card` }]
      : []),
    replace,
    ...(mayMove
      ? [{ id: "withdraw" as const, name: `Withdraw ${amount}, and keep it frozen` }]
      : []),
    {
      id: "none" as const,
      name: status === "closed" ? "Leave it closed" : "Keep it frozen for now",
    },
  ];
}

function toConsequences({ status, held, currency, spending_controls }: CardResource): string {
  const closes = status === "closed" ? "" : "A replaced card is closed for good. ";
  const stays =
    held > 0
      ? ` ${formatMoney(held, currency)} stays on it for open authorizations, which can still be captured.`
      : "";
  const anew = spending_controls?.spending_limits.length ? " Its spending limits start anew." : "";
  return `${closes}The new one has the same name, design, metadata, and spending controls, and another number.${anew}${stays}`;
}

function toReason({ freeze }: CardResource): string {
  return freeze?.reason ? FREEZE_REASON_NAMES[freeze.reason] : "Lost or stolen";
}

function toComment(card: CardResource): string {
  return `${toReason(card)}: replaced`;
}

function toNote(card: CardResource, { id }: CasePurchase) {
  const comment = `Suspicious: not made by the cardholder, as far as we know. ${toReason(card)}.`;
  return { comment, transaction_id: id };
}
