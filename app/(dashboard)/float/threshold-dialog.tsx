"use client";

import { Button } from "../../ui/button.tsx";
import { useAmount } from "../../ui/use-amount.ts";
import { useSettingsForm } from "../../client/use-settings-form.ts";
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
  // The amount's field keeps its own value.
  const { save, error, isPending } = useSettingsForm({}, onClose);
  return (
    <DialogForm
      action="Save"
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => field.check() && save({ low_balance_threshold: field.amount })}
    >
      <AmountInput
        description="The dashboard shows a warning while the float is below this amount."
        field={field}
        label="Warn below"
      />
      {threshold !== null && (
        <Button
          className="self-start"
          onPress={() => save({ low_balance_threshold: null })}
          size="sm"
          variant="secondary"
        >
          Turn off warning
        </Button>
      )}
    </DialogForm>
  );
}
