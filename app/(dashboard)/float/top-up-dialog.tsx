"use client";

import { useForm } from "../../client/use-form.ts";
import { notify } from "../../client/notices.tsx";
import { useOperation } from "../../client/use-operation.ts";
import { AmountInput } from "../../ui/amount-input.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { Balances } from "../../ui/balances.tsx";
import { formatMoney } from "#lib/money.ts";

const operation = () =>
  import("#lib/api/contract/funds.ts").then((contract) => contract.topUpFloat);

/** The dialog behind the button. */
export function TopUpDialog({
  available,
  currency,
  onClose,
}: {
  available: number;
  currency: string;
  onClose: () => void;
}) {
  return (
    <Dialog isOpen onClose={onClose} title="Top up the float">
      <TopUpForm available={available} currency={currency} onClose={onClose} />
    </Dialog>
  );
}

function TopUpForm({
  available,
  currency,
  onClose,
}: {
  available: number;
  currency: string;
  onClose: () => void;
}) {
  const form = useForm<{ amount: number | null }>({ amount: null }, null);
  const topUp = useOperation(operation, () => {
    onClose();
    notify(`${formatMoney(form.values.amount ?? 0, currency)} added to the float.`);
  });
  const submit = () => {
    const body = { amount: form.values.amount ?? 0 };
    void form.send(operation, body, () => topUp.mutate({ body }));
  };
  return (
    <DialogForm
      action="Top up"
      error={topUp.error}
      isPending={topUp.isPending}
      onCancel={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">Simulates money that arrives from your bank. Sandbox only.</p>
      <AmountInput
        autoFocus
        currency={currency}
        error={form.errors["amount"]}
        label="Amount"
        onChange={(amount) => form.set("amount", amount)}
        value={form.values.amount}
      />
      <Balances
        changes={[
          { name: "Float", before: available, after: available + (form.values.amount ?? 0) },
        ]}
        currency={currency}
      />
    </DialogForm>
  );
}
