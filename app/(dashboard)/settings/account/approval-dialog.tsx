"use client";

import { DialogForm } from "../../../client/dialog-form.tsx";
import { notify } from "../../../client/notice-store.ts";
import { OPERATIONS } from "../../../client/operations.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { AmountInput } from "../../../ui/amount-input.tsx";
import { Switch } from "../../../ui/checkbox.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { useAmount } from "../../../ui/use-amount.ts";
import { toTypedAmount } from "#lib/base/typed-amount.ts";

interface Props {
  /** Null while no move needs a second person. */
  rule: { threshold: number; for_keys: boolean } | null;
  currency: string;
  onClose: () => void;
}

/** Changes the amount from which moves need a second person. */
export function ApprovalDialog(props: Props) {
  return (
    <Dialog onClose={props.onClose} size="sm" title="Second person">
      <ApprovalForm {...props} />
    </Dialog>
  );
}

function ApprovalForm({ rule, currency, onClose }: Props) {
  const field = useAmount(currency, {
    initial: rule === null ? "" : toTypedAmount(rule.threshold, currency),
  });
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.updateSettings,
    { isOn: rule !== null, forKeys: rule?.for_keys ?? false },
    () => {
      onClose();
      notify("Changes saved");
    },
  );
  const { isOn, forKeys } = form.values;
  const save = () => {
    if (!isOn) {
      submit({ body: { approval: null } });
    } else if (field.check() && field.amount !== null) {
      submit({ body: { approval: { threshold: field.amount, for_keys: forKeys } } });
    }
  };
  return (
    <DialogForm
      action="Save changes"
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={save}
    >
      <Switch isSelected={isOn} onChange={(next) => form.set("isOn", next)}>
        Require somebody else to approve large moves
      </Switch>
      {isOn && (
        <>
          <AmountInput
            description="What one person can move alone within 24 hours stays below it."
            field={field}
            label="Threshold"
          />
          <Switch isSelected={forKeys} onChange={(next) => form.set("forKeys", next)}>
            Also for API keys that exist already
          </Switch>
        </>
      )}
      {rule !== null && (
        <p className="text-muted">
          Switching it off or raising the threshold takes effect once somebody else approves it.
        </p>
      )}
    </DialogForm>
  );
}
