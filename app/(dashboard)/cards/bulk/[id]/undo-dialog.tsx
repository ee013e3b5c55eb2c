"use client";

import { DialogForm } from "../../../../client/dialog-form.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { useBulkJob } from "../use-bulk-job.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";

/** Lifts the freezes that a job made. */
export function UndoDialog({
  id,
  level,
  onClose,
}: {
  id: string;
  /** The level of the freezes to lift. */
  level: FreezeLevel | null;
  onClose: () => void;
}) {
  const undo = useBulkJob();
  const body = {
    operation: "unfreeze",
    changed_by: id,
    comment: "Undo of a freeze",
    ...(level && { level }),
  } as const;
  return (
    <Dialog onClose={onClose} size="sm" title="Undo these freezes">
      <DialogForm
        action="Undo freezes"
        error={undo.error}
        isPending={undo.isPending}
        onCancel={onClose}
        onSubmit={() => undo.mutate({ body })}
      >
        <p className="text-muted">
          Lifts the freezes that this job made. A card whose status has changed since stays as it
          is.
        </p>
      </DialogForm>
    </Dialog>
  );
}
