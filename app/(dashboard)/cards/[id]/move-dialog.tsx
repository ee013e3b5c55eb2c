"use client";

import { useForm } from "../../../client/use-form.ts";
import { notify } from "../../../client/notices.tsx";
import { useOperation } from "../../../client/use-operation.ts";
import { AmountInput } from "../../../ui/amount-input.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DialogForm } from "../../../ui/dialog-form.tsx";
import { TextInput } from "../../../ui/text-input.tsx";
import { Balances } from "../../../ui/balances.tsx";
import type { CardResource } from "./card-view.tsx";
import { formatMoney } from "#lib/money.ts";

const creditCard = () =>
  import("#lib/api/contract/funds.ts").then((contract) => contract.creditCard);
const debitCard = () => import("#lib/api/contract/funds.ts").then((contract) => contract.debitCard);

const WAYS = {
  credit: { title: "Credit this card", action: "Credit", done: "credited from the float" },
  debit: { title: "Debit this card", action: "Debit", done: "returned to the float" },
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
  const { title, action, done } = WAYS[direction];
  const form = useForm<{ amount: number | null; narrative: string }>(
    { amount: null, narrative: "" },
    null,
  );
  const move = useMove(direction, () => {
    onClose();
    notify(`${formatMoney(form.values.amount ?? 0, currency)} ${done}.`);
  });
  const { amount: typed, narrative } = form.values;
  const amount = typed ?? 0;
  const toCard = direction === "credit" ? amount : -amount;
  const submit = () => {
    const body = { card_id: card.id, amount, narrative: narrative.trim() || null };
    void form.send(creditCard, body, () => move.mutate({ body }));
  };
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <DialogForm
        action={action}
        error={move.error}
        isPending={move.isPending}
        onCancel={onClose}
        onSubmit={submit}
      >
        <AmountInput
          autoFocus
          currency={currency}
          error={form.errors["amount"]}
          label="Amount"
          onChange={(value) => form.set("amount", value)}
          value={typed}
        />
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
          value={narrative}
        />
      </DialogForm>
    </Dialog>
  );
}

/** The operation of a direction, as a mutation. */
function useMove(direction: keyof typeof WAYS, onDone: () => void) {
  const credit = useOperation(creditCard, onDone);
  const debit = useOperation(debitCard, onDone);
  return direction === "credit" ? credit : debit;
}
