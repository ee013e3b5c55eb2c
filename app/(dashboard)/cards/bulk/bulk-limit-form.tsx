"use client";

import { DialogForm } from "../../../client/dialog-form.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { useForm } from "../../../client/use-form.ts";
import { ControlsEditor } from "../../../spending/controls-editor.tsx";
import { toChosen, toWanted } from "../../../spending/chosen-controls.ts";
import type { Elements } from "../../../ui/elements.ts";
import { toAsked } from "./asked-cards.tsx";
import type { BulkTarget } from "./bulk-target.ts";
import { useBulkJob } from "./use-bulk-job.ts";

const CHOICES = [
  { id: "account", name: "Use the account's controls" },
  { id: "none", name: "None: the cards may buy everything" },
  { id: "own", name: "Controls of their own" },
] as const;

/** Asks what many cards may buy. */
export function BulkLimitForm({
  target,
  currency,
  onCancel,
}: {
  target: BulkTarget;
  currency: string;
  onCancel: () => void;
}) {
  const job = useBulkJob();
  const form = useForm({ chosen: toChosen(null, "account", currency) }, job.error);
  const { chosen } = form.values;
  const wanted = toWanted(chosen, currency);
  const { source, short, ...asked } = toAsked("limit", target);
  const lists: Elements = asked.lists;
  const submit = () => {
    const body = {
      operation: "set_spending_controls",
      spending_controls: wanted.controls,
      ...source,
    } as const;
    void form.send(OPERATIONS.createBulkJob, body, () => job.mutate({ body }));
  };
  return (
    <DialogForm
      action={short === null ? "Set" : `Set for ${short}`}
      disabledReason={short === null ? "None of these cards can be changed." : wanted.problem}
      error={job.error}
      isPending={job.isPending}
      onCancel={onCancel}
      onSubmit={submit}
    >
      <ControlsEditor
        choices={CHOICES}
        chosen={chosen}
        currency={currency}
        errors={form.errors}
        label="What these cards may buy"
        onChange={(next) => form.set("chosen", next)}
      />
      {lists}
    </DialogForm>
  );
}
