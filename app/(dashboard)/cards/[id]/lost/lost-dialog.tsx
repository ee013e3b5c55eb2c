"use client";

import { useQuery } from "@tanstack/react-query";
import type { CardResource } from "../acts.ts";
import { LostFreeze } from "./lost-freeze.tsx";
import { LostReplace } from "./lost-replace.tsx";
import { LostSummary } from "./lost-summary.tsx";
import { mustFreeze } from "./lost-case.ts";
import type { LostStep } from "./lost-case.ts";
import type { DisabledReasons } from "../../../../transaction/decline-notice.tsx";
import { OPERATIONS } from "../../../../client/operations.ts";
import { ProblemAlert } from "../../../../client/problem-alert.tsx";
import { Dialog, DialogBody } from "../../../../ui/dialog.tsx";
import { toCardTitle } from "../../../../ui/card-title.ts";
import { callApi } from "#lib/api/client.ts";

/**
 * A lost or stolen card, from its freeze to a summary. The card itself determines the step, so that the dialog
 * resumes where it was closed.
 */
export function LostDialog({
  disabledReasons,
  onChanged,
  ...step
}: LostStep & { disabledReasons: DisabledReasons; onChanged: (card: CardResource) => void }) {
  const { card, lost, onLost } = step;
  const onClose = () => {
    // A person who returns to a card that was only frozen continues the flow.
    onLost(lost.outcome?.kind === "replaced" ? lost : { ...lost, outcome: null });
    step.onClose();
  };
  return (
    <Dialog
      onClose={onClose}
      size="lg"
      title={`Lost or stolen: ${toCardTitle(card.card_name, card.last4)}`}
    >
      {toBody()}
    </Dialog>
  );

  function toBody() {
    if (lost.outcome !== null) {
      return <LostSummary {...step} onClose={onClose} outcome={lost.outcome} />;
    }
    if (card.replaced_by !== null) {
      return <Replaced {...step} replacementId={card.replaced_by} />;
    }
    return mustFreeze(card) ? (
      <LostFreeze {...step} onChanged={onChanged} />
    ) : (
      <LostReplace {...step} disabledReasons={disabledReasons} />
    );
  }
}

/** The summary of a card that had been replaced earlier. */
function Replaced({ replacementId, ...step }: LostStep & { replacementId: string }) {
  const { data, error } = useQuery({
    queryKey: ["card", replacementId],
    queryFn: ({ signal }) => callApi(OPERATIONS.getCard, { id: replacementId }, { signal }),
  });
  return data ? (
    <LostSummary {...step} outcome={{ kind: "replaced", by: data }} />
  ) : (
    <DialogBody className="pb-6">
      <p aria-live="polite">{error ? "" : "Loading the new card…"}</p>
      <ProblemAlert error={error} />
    </DialogBody>
  );
}
