"use client";

import { Button, toast } from "@heroui/react";
import { useState } from "react";
import { useForm } from "../../client/use-form.ts";
import { useOperation } from "../../client/use-operation.ts";
import { AmountInput } from "../../ui/amount-input.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { DialogForm } from "../../ui/dialog-form.tsx";
import { GuardedButton } from "../../ui/guarded-button.tsx";
import { Money } from "../../ui/money.tsx";
import { updateSettings as operation } from "#lib/api/contract/account.ts";

/** The level below which the float is called low. */
export function Threshold({
  threshold,
  currency,
  obstacle,
}: {
  threshold: number | null;
  currency: string;
  obstacle: string | null;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div className="flex items-center gap-3">
      <span className="text-muted">
        {threshold === null ? (
          "No low-balance warning"
        ) : (
          <>
            Warn below <Money amount={threshold} currency={currency} />
          </>
        )}
      </span>
      <GuardedButton obstacle={obstacle} onPress={() => setOpen(true)} size="sm" variant="tertiary">
        Change the warning
      </GuardedButton>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} size="sm" title="Low-balance warning">
        <ThresholdForm currency={currency} onClose={() => setOpen(false)} threshold={threshold} />
      </Dialog>
    </div>
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
  const form = useForm<{ threshold: number | null }>({ threshold }, null);
  const update = useOperation(operation, () => {
    onClose();
    toast.success("The warning is changed.");
  });
  const save = (value: number | null) => {
    const body = { low_balance_threshold: value };
    if (form.check(operation.body, body)) {
      update.mutate({ body });
    }
  };
  return (
    <DialogForm
      action="Save"
      error={update.error}
      isPending={update.isPending}
      onCancel={onClose}
      onSubmit={() => save(form.values.threshold ?? 0)}
    >
      <AmountInput
        autoFocus
        currency={currency}
        description="The dashboard warns while the float is below this."
        error={form.errors["low_balance_threshold"]}
        label="Warn below"
        onChange={(value) => form.set("threshold", value)}
        value={form.values.threshold}
      />
      {threshold !== null && (
        <Button className="self-start" onPress={() => save(null)} size="sm" variant="tertiary">
          Switch the warning off
        </Button>
      )}
    </DialogForm>
  );
}
