"use client";

import { useState } from "react";
import { useOperation } from "../../../client/use-operation.ts";
import { Dialog } from "../../../ui/dialog.tsx";
import type { DisabledReasons } from "../../../transaction/decline-notice.tsx";
import { toCardTitle } from "../../../ui/card-title.ts";
import type { Choosable } from "./open-holds.ts";
import { SimulateForm } from "./simulate-form.tsx";
import { SimulationResult } from "./simulation-result.tsx";
import { OPERATIONS } from "../../../client/operations.ts";
import type { CardResource, Draft, Simulated } from "./acts.ts";

/** Simulates the card network for this card, and shows the result. */
export function SimulateDialog({
  card,
  draft,
  holds,
  disabledReasons,
  purchases,
  onClose,
  onDraft,
}: {
  card: CardResource & { expired: boolean };
  /** The last simulation, so that it can be repeated. */
  draft: Draft | null;
  holds: readonly Choosable[];
  disabledReasons: DisabledReasons;
  purchases: readonly Choosable[];
  onClose: () => void;
  onDraft: (draft: Draft) => void;
}) {
  const [result, setResult] = useState<Simulated | null>(null);
  const simulate = useOperation(OPERATIONS.mockTransaction, ({ data }) => setResult(data));
  return (
    <Dialog
      onClose={onClose}
      title={`Simulate a transaction on ${toCardTitle(card.card_name, card.last4)}`}
    >
      {result ? (
        <SimulationResult
          card={card}
          disabledReasons={disabledReasons}
          isForced={draft !== null && draft.declineWith !== null}
          isRelease={draft?.kind === "reversal" || draft?.kind === "expire"}
          onAgain={() => setResult(null)}
          onClose={onClose}
          result={result}
        />
      ) : (
        <SimulateForm
          card={card}
          draft={draft}
          holds={holds}
          onCancel={onClose}
          onDraft={onDraft}
          purchases={purchases}
          simulate={simulate}
        />
      )}
    </Dialog>
  );
}
