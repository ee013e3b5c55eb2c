"use client";

import { Button } from "@heroui/react";
import { useAmount } from "../../client/use-amount.ts";
import { useForm } from "../../client/use-form.ts";
import { notify } from "../../client/notice-store.ts";
import { useOperation } from "../../client/use-operation.ts";
import { AmountInput } from "../../ui/amount-input.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { OPERATIONS } from "../../client/operations.ts";
import { toTypedAmount } from "#lib/base/typed-amount.ts";

/** The dialog behind the button. */
export function ThresholdDialog({
  threshold,
  currency,
  onClose,
}: {
  threshold: number | null;
  currency: string;
  onClose: () => void;
}) {
  return (
    <Dialog isOpen onClose={onClose} size="sm" title="Low-balance warning">
      <ThresholdForm threshold={threshold} currency={currency} onClose={onClose} />
    </Dialog>
  );
}

function ThresholdForm({
  threshold,
  currency,
  onClose,
}: {
  threshold: number | null;
  currency: string;
  onClose: () => void;
}) {
  const field = useAmount(currency, {
    initial: threshold === null ? "" : toTypedAmount(threshold, currency),
  });
  const form = useForm({}, null);
  const update = useOperation(OPERATIONS.updateSettings, () => {
    onClose();
    notify("Changes saved");
  });
  const save = (value: number | null) => {
    const body = { low_balance_threshold: value };
    void form.send(OPERATIONS.updateSettings, body, () => update.mutate({ body }));
  };
  return (
    <DialogForm
      action="Save"
      error={update.error}
      isPending={update.isPending}
      onCancel={onClose}
      onSubmit={() => field.check() && save(field.amount)}
    >
      <AmountInput
        autoFocus
        description="The dashboard shows a warning while the float is below this amount."
        field={field}
        label="Warn below"
      />
      {threshold !== null && (
        <Button className="self-start" onPress={() => save(null)} size="sm" variant="tertiary">
          Turn off warning
        </Button>
      )}
    </DialogForm>
  );
}
