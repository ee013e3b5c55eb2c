import { TriangleAlert } from "lucide-react";
import { formatMoney } from "#lib/base/money.ts";
import { toDeclineReasonName } from "#lib/transactions/decline-rules.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import type { PostedWithoutApproval } from "#lib/transactions/transaction-kinds.ts";

/** Why a purchase was posted that nobody approved, or for more than was approved. */
const REASONS: Readonly<Record<PostedWithoutApproval, string>> = {
  without_authorization:
    "The card network posted this purchase without asking for an authorization.",
  before_authorization: "The card network captured this purchase before its authorization arrived.",
  after_decline: "The card network posted this purchase although its authorization was declined.",
  after_reversal: "The card network captured this authorization after it had been reversed.",
  after_expiry: "The card network captured this authorization after it had expired.",
  stand_in:
    "The card network approved this purchase in our place, and captured more than was held.",
  after_close: "The card network captured more than was still held after the card was closed.",
  over_authorization: "The card network captured more than was still held.",
};

/**
 * Says what the network approved in our place, how it posted a purchase without an approval, and who paid for it.
 * Renders nothing for any other transaction.
 */
export function PostingNotice({ transaction }: { transaction: Transaction }) {
  const { postedAs } = transaction;
  const sentences = [
    ...toApproval(transaction),
    ...(postedAs === null || postedAs === "authorized" ? [] : [REASONS[postedAs]]),
    ...toPayers(transaction),
  ];
  if (sentences.length === 0) {
    return null;
  }
  return (
    <p className="border-border bg-surface flex items-start gap-2 rounded-lg border px-3 py-2.5">
      <TriangleAlert aria-hidden className="text-pending mt-0.5 size-4 shrink-0" />
      <span className="min-w-0">{sentences.join(" ")}</span>
    </p>
  );
}

function toApproval({ approvedBy, overruledDecline }: Transaction): string[] {
  if (approvedBy === null) {
    return [];
  }
  const approved = "Approved by the card network in our place.";
  return overruledDecline === null
    ? [approved]
    : [
        approved,
        `We would have declined it: ${toDeclineReasonName(overruledDecline).toLowerCase()}.`,
      ];
}

function toPayers({ amount, currency, coveredFloat, coveredDeficit }: Transaction): string[] {
  if (coveredFloat === null) {
    return [];
  }
  const owed = coveredDeficit ?? 0;
  const paid = [
    { who: "the card", amount: amount - coveredFloat - owed },
    { who: "the float", amount: coveredFloat },
  ]
    .filter((payer) => payer.amount > 0)
    .map((payer) => `${payer.who} ${formatMoney(payer.amount, currency)}`);
  const payers = paid.length === 0 ? "Nobody could pay" : `Paid by ${paid.join(" and ")}`;
  const owing = owed > 0 ? `; ${formatMoney(owed, currency)} became part of the deficit` : "";
  return [`${payers}${owing}.`];
}
