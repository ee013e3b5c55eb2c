"use client";

import { useState } from "react";
import { DialogForm } from "../../../client/dialog-form.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import type { Elements } from "../../../ui/elements.ts";
import { FreezeFields, useFreezeTerms, useNewFreeze } from "../freeze-fields.tsx";
import { toCount, toPlan } from "./bulk-card.ts";
import type { BulkTarget, UnseenCards } from "./bulk-target.ts";
import { CardNames, SkippedCards } from "./card-names.tsx";
import { useBulkJob } from "./use-bulk-job.ts";

/** Asks for the reason, the level, and the end of the freezes to make. */
export function BulkFreezeForm({ target, onCancel }: { target: BulkTarget; onCancel: () => void }) {
  const job = useBulkJob();
  const form = useNewFreeze(job.error);
  const toTerms = useFreezeTerms();
  const [isTried, setTried] = useState(false);
  const isMissing = form.values.reason === null;
  const { source, short, lists } = toAsked(target);
  const submit = () => {
    setTried(true);
    if (!isMissing) {
      const body = { operation: "freeze", ...source, ...toTerms(form.values) } as const;
      void form.send(OPERATIONS.createBulkJob, body, () => job.mutate({ body }));
    }
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
      <FreezeFields
        form={form}
        placeholder="Choose one"
        reasonError={isTried && isMissing ? "Choose a reason." : undefined}
      />
      {lists}
    </DialogForm>
  );
}

interface Asked {
  source: UnseenCards["source"] | { items: { card_id: string }[] };
  /** Its cards as a button says them; null if there are none. */
  short: string | null;
  /** The cards that are known. */
  lists: Elements;
}

function toAsked(target: BulkTarget): Asked {
  if (!("cards" in target)) {
    return { ...target, lists: null };
  }
  const { plain, skipped } = toPlan("freeze", target.cards);
  return {
    source: { items: plain.map(({ id }) => ({ card_id: id })) },
    short: plain.length > 0 ? toCount(plain.length) : null,
    lists: (
      <>
        <CardNames cards={plain} title={`To be frozen (${plain.length})`} />
        <SkippedCards skipped={skipped} />
      </>
    ),
  };
}
