import type { Approval } from "#lib/approvals/approvals.ts";

/** An approval as API responses show it. */
export function toApprovalResource(approval: Approval) {
  const { request, comment } = approval;
  return { ...toApprovalFacts(approval), request, comment };
}

/**
 * An approval as events and the audit log show it. They are never erased, so texts that may name a cardholder are left
 * out.
 */
export function toApprovalFacts(approval: Approval) {
  const { id, status, operation, targetId, cardId, cards, amount, requestedBy } = approval;
  const { requesterId, createdAt, expiresAt, decidedBy, decidedAt } = approval;
  return {
    id,
    status,
    operation,
    target_id: targetId,
    card_id: cardId,
    cards,
    amount,
    requester_id: requesterId,
    requested_by: requestedBy,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
    decided_by: decidedBy,
    decided_at: decidedAt?.toISOString() ?? null,
  };
}
