"use client";

import { Snowflake, Square, Undo2 } from "lucide-react";
import { DialogButton } from "../../../../client/dialog-button.tsx";
import { fetched } from "../../../../client/fetched.tsx";
import { notify } from "../../../../client/notice-store.ts";
import { OPERATIONS } from "../../../../client/operations.ts";
import { useOperation } from "../../../../client/use-operation.ts";
import { GuardedButton } from "../../../../ui/guarded-button.tsx";
import type { BulkJob } from "#lib/bulk/bulk-job.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";

const BulkDialog = fetched(() => import("../bulk-dialog.tsx").then((loaded) => loaded.BulkDialog));
const UndoDialog = fetched(() => import("./undo-dialog.tsx").then((loaded) => loaded.UndoDialog));

export interface ShownJob extends Pick<BulkJob, "id" | "operation" | "state"> {
  /** Whether it changed cards. */
  hasChanged: boolean;
  /** The level of the freezes that it made. */
  level: FreezeLevel | null;
}

/** Stops a job that runs, and undoes one that made or lifted freezes. */
export function JobActions({
  job,
  disabledReason,
}: {
  job: ShownJob;
  disabledReason: string | null;
}) {
  if (job.state === "running") {
    return <StopButton disabledReason={disabledReason} id={job.id} />;
  }
  if (!job.hasChanged) {
    return null;
  }
  const button = { disabledReason, variant: "secondary" } as const;
  if (job.operation === "freeze") {
    return (
      <DialogButton {...button} about={{ id: job.id, level: job.level }} dialog={UndoDialog}>
        <Undo2 aria-hidden />
        Undo
      </DialogButton>
    );
  }
  if (job.operation === "unfreeze") {
    return (
      <DialogButton {...button} about={toFreezeAgain(job)} dialog={BulkDialog}>
        <Snowflake aria-hidden />
        Freeze again
      </DialogButton>
    );
  }
  return null;
}

function toFreezeAgain({ id }: ShownJob) {
  return {
    act: "freeze",
    target: {
      source: { changed_by: id },
      words: "the cards of this job",
      short: "these cards",
    },
  } as const;
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
