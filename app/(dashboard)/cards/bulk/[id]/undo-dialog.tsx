"use client";

import { DialogForm } from "../../../../client/dialog-form.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { useBulkJob } from "../use-bulk-job.ts";

/** What undoes each operation, and what that does. */
const INVERSES = {
  freeze: {
    operation: "unfreeze",
    does: "Lifts the freezes that this job made, and restores those that it changed. Other freezes stay.",
  },
  unfreeze: {
    operation: "freeze",
    does: "Restores the freezes that this job lifted, with their reason, comment, and end. Those whose end has passed stay lifted.",
  },
} as const;

const UNDO_OF_UNDO = "Takes back what this undo restored or lifted.";

/** Puts back what a job has changed. */
export function UndoDialog({
  id,
  operation,
  isUndo,
  onClose,
}: {
  id: string;
  operation: keyof typeof INVERSES;
  isUndo: boolean;
  onClose: () => void;
}) {
  const undo = useBulkJob();
  const inverse = INVERSES[operation];
  const body = {
    operation: inverse.operation,
    changed_by: id,
    comment: "Undo of a bulk job",
  } as const;
  return (
    <Dialog onClose={onClose} size="sm" title="Undo this job">
      <DialogForm
        action="Undo job"
        error={undo.error}
        isPending={undo.isPending}
        onCancel={onClose}
        onSubmit={() => undo.mutate({ body })}
      >
        <p className="text-muted">{isUndo ? UNDO_OF_UNDO : inverse.does}</p>
        <p className="text-muted">
          What has been changed since, or is not yours to change, is left alone. The results say
          why.
        </p>
      </DialogForm>
    </Dialog>
  );
}
