"use client";

import { DialogForm } from "../../../../client/dialog-form.tsx";
import { Dialog } from "../../../../ui/dialog.tsx";
import { useBulkJob } from "../use-bulk-job.ts";
import { INVERSES } from "#lib/bulk/inverses.ts";
import type { UndoableOperation } from "#lib/bulk/inverses.ts";

const COMMENT = "Undo of a bulk job";

/** What the undo of each operation does, and the other members of its request. */
const UNDOES = {
  freeze: {
    does: "Lifts the freezes that this job made, and restores those that it changed. Other freezes stay.",
    terms: { comment: COMMENT },
  },
  unfreeze: {
    does: "Restores the freezes that this job lifted, with their reason, comment, and end. Those whose end has passed stay lifted.",
    terms: { comment: COMMENT },
  },
  set_spending_controls: {
    does: "Gives each card back the spending controls that this job replaced.",
    terms: {},
  },
} as const satisfies Record<UndoableOperation, object>;

const UNDO_OF_UNDO = "Takes back what this undo changed.";

/** Restores what a job has changed. */
export function UndoDialog({
  id,
  operation,
  isUndo,
  onClose,
}: {
  id: string;
  operation: UndoableOperation;
  isUndo: boolean;
  onClose: () => void;
}) {
  const undo = useBulkJob();
  const { does, terms } = UNDOES[operation];
  const body = { ...terms, operation: INVERSES[operation], changed_by: id };
  return (
    <Dialog onClose={onClose} size="sm" title="Undo this job">
      <DialogForm
        action="Undo job"
        error={undo.error}
        isPending={undo.isPending}
        onCancel={onClose}
        onSubmit={() => undo.mutate({ body })}
      >
        <p className="text-muted">{isUndo ? UNDO_OF_UNDO : does}</p>
        <p className="text-muted">
          What has been changed since, or is not yours to change, is left alone. The results say
          why.
        </p>
      </DialogForm>
    </Dialog>
  );
}
