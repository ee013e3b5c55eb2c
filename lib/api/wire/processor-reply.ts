import { toTransactionResource } from "#lib/api/wire/resources.ts";
import type { Decision, Effect } from "#lib/processor/operations.ts";

/** The decision about an authorization. A declined one is approved for nothing. */
export function toDecisionReply({ transaction, declineReason, available }: Decision) {
  return {
    id: transaction?.id ?? null,
    decision: declineReason === null ? ("approved" as const) : ("declined" as const),
    decline_reason: declineReason,
    amount: declineReason === null ? (transaction?.amount ?? 0) : 0,
    requested_amount: transaction?.requestedAmount ?? null,
    available,
  };
}

/** The transaction that a card processor operation created or changed. */
export function toEffectReply({ integratorId, transaction }: Effect) {
  return {
    affected: { integratorId, transactionId: transaction.id },
    body: { data: toTransactionResource(transaction) },
  };
}
