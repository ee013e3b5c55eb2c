"use client";

import { Snowflake, Square, Undo2 } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { useState } from "react";
import { DialogForm } from "../../../../client/dialog-form.tsx";
import { fetched } from "../../../../client/fetched.tsx";
import { notify } from "../../../../client/notice-store.ts";
import { OPERATIONS } from "../../../../client/operations.ts";
import { useOperation } from "../../../../client/use-operation.ts";
import { Dialog } from "../../../../ui/dialog.tsx";
import { GuardedButton } from "../../../../ui/guarded-button.tsx";
import { useBulkJob } from "../use-bulk-job.ts";
import type { BulkJob } from "#lib/bulk/bulk-job.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";

const BulkDialog = fetched(() => import("../bulk-dialog.tsx").then((loaded) => loaded.BulkDialog));

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
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (job.state === "running") {
    return <StopButton disabledReason={disabledReason} id={job.id} />;
  }
  const undo = job.hasChanged ? UNDO[job.operation] : undefined;
  if (!undo) {
    return null;
  }
  return (
    <>
      <GuardedButton
        disabledReason={disabledReason}
        onPress={() => setOpen(true)}
        variant="secondary"
      >
        <undo.Icon aria-hidden />
        <span>{undo.name}</span>
      </GuardedButton>
      {isOpen && job.operation === "freeze" && <UndoDialog job={job} onClose={close} />}
      {isOpen && job.operation === "unfreeze" && (
        <BulkDialog
          act="freeze"
          onClose={close}
          target={{
            source: { changed_by: job.id },
            words: "the cards of this job",
            short: "these cards",
          }}
        />
      )}
    </>
  );
}

/** What undoes each operation. */
const UNDO: Partial<Record<BulkJob["operation"], { name: string; Icon: LucideIcon }>> = {
  freeze: { name: "Undo", Icon: Undo2 },
  unfreeze: { name: "Freeze again", Icon: Snowflake },
};

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

/** Lifts the freezes that a job made. */
function UndoDialog({ job: { id, level }, onClose }: { job: ShownJob; onClose: () => void }) {
  const undo = useBulkJob();
  const body = {
    operation: "unfreeze",
    changed_by: id,
    comment: "Undo of a freeze",
    ...(level && { level }),
  } as const;
  return (
    <Dialog isOpen onClose={onClose} size="sm" title="Undo these freezes">
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
