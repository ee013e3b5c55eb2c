"use client";

import { DialogForm } from "../../../client/dialog-form.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { notify } from "../../../client/notice-store.ts";
import { useUnsavedChanges } from "../../../client/unsaved-changes.ts";
import { useOperationForm } from "../../../client/use-operation-form.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import { BacktestPreview } from "../../../spending/backtest-preview.tsx";
import { ControlsEditor } from "../../../spending/controls-editor.tsx";
import { toChosen, toWanted } from "../../../spending/chosen-controls.ts";
import type { SpendingControls } from "#lib/cards/spending-controls.ts";

interface Props {
  controls: SpendingControls | null;
  currency: string;
  onClose: () => void;
}

/**
 * Changes what cards without controls of their own may buy, and shows what these controls would have declined on any
 * card.
 */
export function SpendingDialog(props: Props) {
  return (
    <Dialog onClose={props.onClose} size="lg" title="Spending controls">
      <SpendingForm {...props} />
    </Dialog>
  );
}

const CHOICES = [
  { id: "none", name: "Everything" },
  { id: "own", name: "Only what these controls allow" },
] as const;

function SpendingForm({ controls, currency, onClose }: Props) {
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.updateSettings,
    { chosen: toChosen(controls, "none", currency) },
    () => {
      onClose();
      notify("Changes saved");
    },
  );
  useUnsavedChanges(form.isDirty);
  const { chosen } = form.values;
  const wanted = toWanted(chosen, currency);
  return (
    <DialogForm
      action="Save changes"
      disabledReason={wanted.problem}
      error={error}
      isPending={isPending}
      onCancel={onClose}
      onSubmit={() => submit({ body: { spending_controls: wanted.controls } })}
    >
      <ControlsEditor
        choices={CHOICES}
        chosen={chosen}
        currency={currency}
        errors={form.errors}
        label="What cards without controls of their own may buy"
        onChange={(next) => form.set("chosen", next)}
      />
      <BacktestPreview cardId={null} controls={wanted.controls} problem={wanted.problem} />
    </DialogForm>
  );
}
