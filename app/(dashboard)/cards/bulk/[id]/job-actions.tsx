"use client";

import { Square, Undo2 } from "lucide-react";
import { DialogButton } from "../../../../client/dialog-button.tsx";
import { fetched } from "../../../../client/fetched.tsx";
import { notify } from "../../../../client/notice-store.ts";
import { OPERATIONS } from "../../../../client/operations.ts";
import { useOperation } from "../../../../client/use-operation.ts";
import { GuardedButton } from "../../../../ui/guarded-button.tsx";
import type { BulkJob } from "#lib/bulk/bulk-job.ts";
import { isUndoable } from "#lib/bulk/inverses.ts";

const UndoDialog = fetched(() => import("./undo-dialog.tsx").then((loaded) => loaded.UndoDialog));

export interface ShownJob extends Pick<BulkJob, "id" | "operation" | "state"> {
  /** Whether it changed cards. */
  hasChanged: boolean;
  /** Whether it is an undo itself. */
  isUndo: boolean;
}

/** Stops a running job, and undoes a job that moved no funds and closed no card. */
export function JobActions({
  job,
  disabledReason,
}: {
  job: ShownJob;
  disabledReason: string | null;
}) {
  const { id, operation, state, hasChanged, isUndo } = job;
  if (state === "running") {
    return <StopButton disabledReason={disabledReason} id={id} />;
  }
  if (!hasChanged || !isUndoable(operation)) {
    return null;
  }
  return (
    <DialogButton
      about={{ id, operation, isUndo }}
      dialog={UndoDialog}
      disabledReason={disabledReason}
      variant="secondary"
    >
      <Undo2 aria-hidden />
      Undo
    </DialogButton>
  );
}

function StopButton({ id, disabledReason }: { id: string; disabledReason: string | null }) {
  const cancel = useOperation(OPERATIONS.cancelBulkJob, ({ data }) =>
    notify(data.state === "canceled" ? "Job stopped. What was done stays." : "Job already ended."),
  );
  return (
    <GuardedButton
      disabledReason={disabledReason}
      isPending={cancel.isPending}
      onPress={() =>
        cancel.mutate(
          { id },
          { onError: () => notify("Couldn't stop the job. Try again.", "warning") },
        )
      }
      variant="secondary"
    >
      <Square aria-hidden />
      Stop
    </GuardedButton>
  );
}
