import { toTransactionResource } from "#lib/transactions/transaction-resource.ts";
import type { Decision, Effect, Left } from "#lib/processor/operations.ts";
import type { Incremented } from "#lib/purchases/increments.ts";

/** The decision about an authorization. A declined one is approved for the amount 0. */
export function toDecisionReply({ transaction, declineReason, available }: Decision) {
  return {
    id: transaction?.id ?? null,
    ...toDecision(declineReason),
    amount: declineReason === null ? (transaction?.amount ?? 0) : 0,
    requested_amount: transaction?.requestedAmount ?? null,
    available,
  };
}

/** The decision about an increment, with the authorization's amounts right after. */
export function toIncrementReply(increment: Incremented & { integratorId: string }) {
  const { integratorId, transaction, authorization, available } = increment;
  return {
    affected: { integratorId, transactionId: transaction.id },
    body: {
      id: transaction.id,
      ...toDecision(transaction.declineReason),
      amount: authorization.holdAmount ?? 0,
      requested_amount: authorization.requestedAmount,
      available,
    },
  };
}

/** The reply to an approval in our place, with the amount held right after it. */
export function toAdviceReply({ integratorId, transaction, available = 0, ...left }: Effect) {
  const { id, type, amount, requestedAmount, holdAmount } = transaction;
  const isUnheld = type === "deduct" && holdAmount === null;
  return {
    affected: { integratorId, transactionId: id, ...left },
    body: {
      id,
      ...toDecision(null),
      amount: holdAmount ?? 0,
      requested_amount: isUnheld ? amount : requestedAmount,
      available,
    },
  };
}

function toDecision(declineReason: string | null) {
  return {
    decision: declineReason === null ? ("approved" as const) : ("declined" as const),
    decline_reason: declineReason,
  };
}

/** The transaction that was reversed by its reference, if it has arrived. */
export function toReversalReply(effect: Effect | { left: Left } | undefined) {
  return effect && "transaction" in effect
    ? toEffectReply(effect)
    : { affected: { integratorId: null, transactionId: null, ...effect }, body: { data: null } };
}

/** The transaction that a card processor operation created or changed. */
export function toEffectReply({ integratorId, transaction, ...left }: Effect) {
  return {
    affected: { integratorId, transactionId: transaction.id, ...left },
    body: { data: toTransactionResource(transaction) },
  };
}
