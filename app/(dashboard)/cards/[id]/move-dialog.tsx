"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { useAmount } from "../../../ui/use-amount.ts";
import { useForm } from "../../../client/use-form.ts";
import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { AmountInput } from "../../../ui/amount-input.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { toCardTitle } from "../../../ui/card-title.ts";
import { Balances } from "../../../ui/balances.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import type { CardResource } from "./acts.ts";
import { formatMoney } from "#lib/base/money.ts";

const DIRECTIONS = {
  credit: {
    operation: OPERATIONS.creditCard,
    action: "Credit",
    done: "credited to the card",
  },
  debit: {
    operation: OPERATIONS.debitCard,
    action: "Debit",
    done: "returned to the float",
  },
} as const;

/** Moves an amount between the float and a card, and shows both resulting balances. */
export function MoveDialog({
  card,
  currency,
  direction,
  floatAvailable,
  onClose,
}: {
  card: CardResource;
  currency: string;
  direction: keyof typeof DIRECTIONS;
  floatAvailable: number;
  onClose: () => void;
}) {
  const { operation, action, done } = DIRECTIONS[direction];
  const field = useAmount(currency);
  const form = useForm({ narrative: "" }, null);
  const credit = useOperation(OPERATIONS.creditCard);
  const debit = useOperation(OPERATIONS.debitCard);
  const move = direction === "credit" ? credit : debit;
  const { amount } = field;
  const toCard = (direction === "credit" ? 1 : -1) * (amount ?? 0);
  const overdraft = useOverdraft(amount, { card, direction, floatAvailable });
  const submit = () => {
    if (!field.check() || amount === null || overdraft !== null) {
      return;
    }
    const body = { card_id: card.id, amount, narrative: form.values.narrative.trim() || null };
    const onSuccess = () => {
      onClose();
      notify(`${formatMoney(amount, currency)} ${done}.`);
    };
    void form.send(operation, body, () => move.mutate({ body }, { onSuccess }));
  };
  return (
    <Dialog onClose={onClose} title={`${action} ${toCardTitle(card.card_name, card.last4)}`}>
      <DialogForm
        action={amount === null ? action : `${action} ${formatMoney(amount, currency)}`}
        disabledReason={overdraft}
        error={move.error}
        isPending={move.isPending}
        onCancel={onClose}
        onSubmit={submit}
      >
        <AmountInput error={overdraft ?? undefined} field={field} label="Amount" />
        <Balances
          changes={[
            { name: "Float available", before: floatAvailable, after: floatAvailable - toCard },
            {
              name: "Card available",
              before: card.available,
              after: card.available + toCard,
            },
          ]}
          currency={currency}
        />
        <TextInput
          error={form.errors["narrative"]}
          label="Narrative"
          onChange={(value) => form.set("narrative", value)}
          value={form.values.narrative}
        />
      </DialogForm>
    </Dialog>
  );
}

/** Why the account that the amount leaves has too little; null if it has enough. */
function useOverdraft(
  amount: number | null,
  {
    card,
    direction,
    floatAvailable,
  }: { card: CardResource; direction: keyof typeof DIRECTIONS; floatAvailable: number },
): string | null {
  const router = useRouter();
  const isCredit = direction === "credit";
  const available = isCredit ? floatAvailable : card.available;
  const isOverdraft = amount !== null && amount > available;
  useEffect(() => {
    // The page may be out of date: funds may have arrived since.
    if (isOverdraft && navigator.onLine) {
      router.refresh();
    }
  }, [isOverdraft, router]);
  if (!isOverdraft) {
    return null;
  }
  const has = formatMoney(available, card.currency);
  if (isCredit) {
    return `The float has ${has} available. Top it up or credit less.`;
  }
  return card.held > 0
    ? `The card has ${has} available; ${formatMoney(card.held, card.currency)} more is held by open authorizations.`
    : `The card has ${has} available.`;
}
