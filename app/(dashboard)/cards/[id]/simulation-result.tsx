"use client";

import { CircleCheck } from "lucide-react";
import { Button } from "../../../ui/button.tsx";
import { DialogBody, DialogFooter } from "../../../ui/dialog.tsx";
import { LinkButton } from "../../../ui/link-button.tsx";
import { TransactionStatusLabel } from "../../../ui/transaction-status.tsx";
import type { CardResource, Simulated } from "./acts.ts";
import { DeclineNotice } from "../../../transaction/decline-notice.tsx";
import type { DisabledReasons } from "../../../transaction/decline-notice.tsx";
import { formatMoney } from "#lib/base/money.ts";
import type { TransactionStatus } from "#lib/transactions/transaction-kinds.ts";

/**
 * The result of a simulation. A decline is a result like any other, with its explanation and what to do about it.
 */
export function SimulationResult({
  result,
  card,
  disabledReasons,
  isForced,
  isRelease,
  onAgain,
  onClose,
}: {
  result: Simulated;
  card: CardResource & { expired: boolean };
  disabledReasons: DisabledReasons;
  /** Whether the decline was forced, whatever the card's rules say. */
  isForced: boolean;
  /** Whether the simulation was to release an authorization's hold. */
  isRelease: boolean;
  onAgain: () => void;
  onClose: () => void;
}) {
  const { status, type, decline_reason: reason, decline_explanation: explanation } = result;
  return (
    <>
      <DialogBody>
        <div className="flex flex-wrap items-center gap-3" role="status">
          <TransactionStatusLabel status={status} type={type} />
          <span className="text-base font-medium">
            {isRelease ? toReleaseSentence(result) : toSentence(result)}
          </span>
        </div>
        {reason !== null && explanation !== null ? (
          <DeclineNotice
            // Nobody can review the freeze while this dialog is open.
            card={{ ...card, isReviewed: false }}
            explanation={explanation}
            forced={isForced}
            disabledReasons={disabledReasons}
            reason={reason}
          />
        ) : (
          <p className="flex items-center gap-2">
            <CircleCheck aria-hidden className="text-active size-4 shrink-0" />
            <span>{`The card balance is ${formatMoney(result.card_balance_after, result.currency)}`}</span>
            {result.hold !== null && result.hold.remaining > 0 && (
              <span>{`, with ${formatMoney(result.hold.remaining, result.currency)} held`}</span>
            )}
            <span>.</span>
          </p>
        )}
      </DialogBody>
      <DialogFooter>
        <LinkButton href={`/transactions/${result.id}`} variant="secondary">
          View transaction
        </LinkButton>
        <Button onPress={onAgain} variant="secondary">
          Simulate another
        </Button>
        <Button onPress={onClose}>Done</Button>
      </DialogFooter>
    </>
  );
}

const VERBS: Readonly<Record<TransactionStatus, string>> = {
  authorized: "was authorized.",
  captured: "was approved after its capture.",
  settled: "was approved.",
  declined: "was declined.",
  reversed: "was released.",
  expired: "was released.",
};

function toReleaseSentence({ hold, status }: Simulated): string {
  if (hold !== null && hold.remaining > 0) {
    return "Part of the hold was released.";
  }
  return status === "settled" ? "The rest of the hold was released." : "The hold was released.";
}

function toSentence({ amount, currency, status, type }: Simulated): string {
  if (type === "verification") {
    return `The verification ${status === "declined" ? "was declined." : "was approved."}`;
  }
  const verb = type === "deduct-reversal" ? "was refunded." : VERBS[status];
  return `${formatMoney(amount, currency)} ${verb}`;
}
