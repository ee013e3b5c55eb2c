"use client";

import { DialogForm } from "../../../client/dialog-form.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import { FreezeFields, useFreezeTerms, useNewFreeze } from "../freeze-fields.tsx";
import type { Elements } from "../../../ui/elements.ts";
import { toAsked } from "./asked-cards.tsx";
import type { BulkTarget } from "./bulk-target.ts";
import { useBulkJob } from "./use-bulk-job.ts";

/** Asks for the reason, the level, and the end of the freezes to make. */
export function BulkFreezeForm({ target, onCancel }: { target: BulkTarget; onCancel: () => void }) {
  const job = useBulkJob();
  const form = useNewFreeze(job.error);
  const toTerms = useFreezeTerms();
  const { source, short, ...asked } = toAsked("freeze", target);
  const lists: Elements = asked.lists;
  const submit = () => {
    const body = { operation: "freeze", ...source, ...toTerms(form.values) } as const;
    void form.send(OPERATIONS.createBulkJob, body, () => job.mutate({ body }));
  };
  return (
    <DialogForm
      action={short === null ? "Freeze" : `Freeze ${short}`}
      disabledReason={short === null ? "None of these cards can be frozen." : null}
      error={job.error}
      isPending={job.isPending}
      onCancel={onCancel}
      onSubmit={submit}
    >
      <p className="text-muted">
        New transactions on these cards are declined from the moment they are frozen. Earlier
        authorizations can still settle.
      </p>
      <FreezeFields form={form} />
      {lists}
    </DialogForm>
  );
}
