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
  card: { id: string; currency: string };
  /** Null if the card has no controls of its own. */
  own: SpendingControls | null;
  ofAccount: SpendingControls | null;
  onClose: () => void;
}

/** Changes what a card may buy, and shows what that would have declined. */
export function SpendingDialog(props: Props) {
  return (
    <Dialog onClose={props.onClose} size="lg" title="Spending controls">
      <SpendingForm {...props} />
    </Dialog>
  );
}

const CHOICES = [
  { id: "account", name: "Use the account's controls" },
  { id: "none", name: "None: the card may buy everything" },
  { id: "own", name: "Controls of its own" },
] as const;

function SpendingForm({ card: { id, currency }, own, ofAccount, onClose }: Props) {
  const { form, submit, error, isPending } = useOperationForm(
    OPERATIONS.updateCardSpendingControls,
    { chosen: toChosen(own, "account", currency) },
    () => {
      onClose();
      notify("Spending controls saved");
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
      onSubmit={() => submit({ id, body: { spending_controls: wanted.controls } })}
    >
      <ControlsEditor
        choices={CHOICES}
        chosen={chosen}
        currency={currency}
        errors={form.errors}
        label="What this card may buy"
        onChange={(next) => form.set("chosen", next)}
      />
      <BacktestPreview
        cardId={id}
        controls={chosen.choice === "account" ? ofAccount : wanted.controls}
        problem={wanted.problem}
      />
    </DialogForm>
  );
}
