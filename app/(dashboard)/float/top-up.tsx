"use client";

import { toast } from "@heroui/react";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useForm } from "../../client/use-form.ts";
import { useOperation } from "../../client/use-operation.ts";
import { AmountInput } from "../../ui/amount-input.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { GuardedButton } from "../../ui/guarded-button.tsx";
import { Balances } from "../../ui/balances.tsx";
import { topUpFloat as operation } from "#lib/api/contract/funds.ts";
import { formatMoney } from "#lib/money.ts";

/** Simulates a top-up of the float; exists in sandbox only. */
export function TopUp({
  available,
  currency,
  obstacle,
}: {
  available: number;
  currency: string;
  obstacle: string | null;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <GuardedButton obstacle={obstacle} onPress={() => setOpen(true)}>
        <Plus aria-hidden />
        Top up
      </GuardedButton>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Top up the float">
        <TopUpForm available={available} currency={currency} onClose={() => setOpen(false)} />
      </Dialog>
    </>
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
    toast.success(`${formatMoney(form.values.amount ?? 0, currency)} added to the float.`);
  });
  const submit = () => {
    const body = { amount: form.values.amount ?? 0 };
    if (form.check(operation.body, body)) {
      topUp.mutate({ body });
    }
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
