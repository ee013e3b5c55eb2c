"use client";

import { Button } from "../../ui/button.tsx";
import { useAmount } from "../../ui/use-amount.ts";
import { OPERATIONS } from "../../client/operations.ts";
import { notify } from "../../client/notice-store.ts";
import { useOperationForm } from "../../client/use-operation-form.ts";
import { AmountInput } from "../../ui/amount-input.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../client/dialog-form.tsx";
import { toTypedAmount } from "#lib/base/typed-amount.ts";

interface Props {
  threshold: number | null;
  currency: string;
  onClose: () => void;
}

/** The dialog behind the button. */
export function ThresholdDialog(props: Props) {
  return (
    <Dialog onClose={props.onClose} size="sm" title="Low-balance warning">
      <ThresholdForm {...props} />
    </Dialog>
  );
}

function ThresholdForm({ threshold, currency, onClose }: Props) {
  const field = useAmount(currency, {
    initial: threshold === null ? "" : toTypedAmount(threshold, currency),
  });
  // The amount's field keeps its value itself.
  const { submit, error, isPending } = useOperationForm(OPERATIONS.updateSettings, {}, () => {
    onClose();
    notify("Changes saved");
  });
  return (
    <DialogForm
      action="Save"
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => field.check() && submit({ body: { low_balance_threshold: field.amount } })}
    >
      <AmountInput
        description="The dashboard shows a warning while the float is below this amount."
        field={field}
        label="Warn below"
      />
      {threshold !== null && (
        <Button
          className="self-start"
          onPress={() => submit({ body: { low_balance_threshold: null } })}
          size="sm"
          variant="secondary"
        >
          Turn off warning
        </Button>
      )}
    </DialogForm>
  );
}
