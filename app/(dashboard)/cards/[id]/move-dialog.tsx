"use client";

import { useAmount } from "../../../client/use-amount.ts";
import { useForm } from "../../../client/use-form.ts";
import { notify } from "../../../client/notice-store.ts";
import { useOperation } from "../../../client/use-operation.ts";
import { AmountInput } from "../../../ui/amount-input.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../ui/dialog-form.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { Balances } from "../../../ui/balances.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import type { CardResource } from "./acts.ts";
import { formatMoney } from "#lib/base/money.ts";

const WAYS = {
  credit: {
    operation: OPERATIONS.creditCard,
    title: "Credit this card",
    action: "Credit",
    done: "credited to the card",
  },
  debit: {
    operation: OPERATIONS.debitCard,
    title: "Debit this card",
    action: "Debit",
    done: "returned to the float",
  },
} as const;

/** Moves an amount between the float and a card, showing what both will be. */
export function MoveDialog({
  card,
  currency,
  direction,
  floatAvailable,
  onClose,
}: {
  card: CardResource;
  currency: string;
  direction: keyof typeof WAYS;
  floatAvailable: number;
  onClose: () => void;
}) {
  const { operation, title, action, done } = WAYS[direction];
  const field = useAmount(currency);
  const form = useForm({ narrative: "" }, null);
  const credit = useOperation(OPERATIONS.creditCard);
  const debit = useOperation(OPERATIONS.debitCard);
  const move = direction === "credit" ? credit : debit;
  const { amount } = field;
  const toCard = (direction === "credit" ? 1 : -1) * (amount ?? 0);
  const submit = () => {
    if (!field.check() || amount === null) {
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
    <Dialog isOpen onClose={onClose} title={title}>
      <DialogForm
        action={amount === null ? action : `${action} ${formatMoney(amount, currency)}`}
        error={move.error}
        isPending={move.isPending}
        onCancel={onClose}
        onSubmit={submit}
      >
        <AmountInput autoFocus field={field} label="Amount" />
        <Balances
          changes={[
            { name: "Float", before: floatAvailable, after: floatAvailable - toCard },
            {
              name: `Card •••• ${card.last4}`,
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
