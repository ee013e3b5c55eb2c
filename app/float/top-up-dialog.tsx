"use client";

import { useAmount } from "../ui/use-amount.ts";
import { useForm } from "../client/use-form.ts";
import { notify } from "../client/notice-store.ts";
import { useOperation } from "../client/use-operation.ts";
import { AmountInput } from "../ui/amount-input.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { DialogForm } from "../client/dialog-form.tsx";
import { Balances } from "../ui/balances.tsx";
import { OPERATIONS } from "../client/operations.ts";
import { toTypedAmount } from "#lib/base/typed-amount.ts";
import { formatMoney } from "#lib/base/money.ts";

interface Props {
  available: number;
  proposed?: number | undefined;
  currency: string;
  onClose: () => void;
}

/** The dialog behind the button. */
export function TopUpDialog(props: Props) {
  return (
    <Dialog onClose={props.onClose} title="Top up the float">
      <TopUpForm {...props} />
    </Dialog>
  );
}

function TopUpForm({ available, proposed, currency, onClose }: Props) {
  const initial = proposed === undefined ? "" : toTypedAmount(proposed, currency);
  const field = useAmount(currency, { initial });
  const form = useForm({}, null);
  const topUp = useOperation(OPERATIONS.topUpFloat);
  const { amount } = field;
  const submit = () => {
    if (!field.check() || amount === null) {
      return;
    }
    const body = { amount };
    const onSuccess = () => {
      onClose();
      notify(`${formatMoney(amount, currency)} added to the float.`);
    };
    void form.send(OPERATIONS.topUpFloat, body, () => topUp.mutate({ body }, { onSuccess }));
  };
  return (
    <DialogForm
      action={amount === null ? "Top up" : `Top up ${formatMoney(amount, currency)}`}
      error={topUp.error}
      isPending={topUp.isPending}
      onCancel={onClose}
      onSubmit={submit}
    >
      <p className="text-muted">Simulates a bank transfer to your float. Sandbox only.</p>
      <AmountInput field={field} label="Amount" />
      <Balances
        changes={[{ name: "Float available", before: available, after: available + (amount ?? 0) }]}
        currency={currency}
      />
    </DialogForm>
  );
}
