import type { Member } from "#lib/base/actor.ts";
import type { BulkCards, BulkRequest } from "#lib/bulk/bulk-job.ts";
import { requireBulkScope } from "#lib/bulk/bulk-rights.ts";
import { toCardFilter } from "#lib/api/wire/card-filter.ts";
import { requireSettable, toLiftable } from "#lib/cards/freeze-rights.ts";
import type { z } from "zod";
import type { createBulkJob } from "#lib/operations/bulk/create-bulk-job.ts";

type Body = z.output<NonNullable<(typeof createBulkJob)["body"]>>;

/**
 * A job as it was asked for, with what its caller may do.
 * @throws DomainError `scope_missing`.
 */
export function toBulkRequest(actor: Member, body: Body): BulkRequest {
  const { operation, reason, comment, until, mode, check: isCheck } = body;
  requireBulkScope(actor, operation);
  const level = operation === "freeze" ? requireSettable(actor, body.level) : (body.level ?? null);
  return {
    operation,
    mode,
    isCheck,
    terms: {
      reason,
      comment,
      level,
      until: until?.toISOString() ?? null,
      may_lift: toLiftable(actor),
    },
    cards: toCards(body),
  };
}

function toCards({ items, filter, changed_by: changedBy }: Body): BulkCards {
  if (changedBy !== undefined) {
    return { changedBy };
  }
  if (!items) {
    return { filter: toCardFilter(filter ?? {}) };
  }
  return {
    items: items.map(({ card_id: cardId, amount = "all", narrative, status_version }) => ({
      cardId,
      amount: amount === "all" ? null : amount,
      narrative,
      seenVersion: status_version,
    })),
  };
}
