import type { Member } from "#lib/base/actor.ts";
import type { BulkCards, BulkRequest } from "#lib/bulk/bulk-job.ts";
import { requireBulkScope } from "#lib/bulk/bulk-rights.ts";
import { toCardFilter } from "#lib/api/wire/filters.ts";
import { requireSettable, toLiftable, toSettable } from "#lib/cards/freeze-rights.ts";
import type { z } from "zod";
import type { createBulkJob } from "#lib/operations/bulk/create-bulk-job.ts";

type Body = z.output<NonNullable<(typeof createBulkJob)["body"]>>;

/**
 * A job as it was requested, with its caller's rights.
 * @throws DomainError `scope_missing`.
 */
export function toBulkRequest(actor: Member, body: Body): BulkRequest {
  const { operation, reason, comment, until, mode, check: isCheck } = body;
  requireBulkScope(actor, operation);
  return {
    operation,
    mode,
    isCheck,
    terms: {
      reason,
      comment,
      level: toLevel(actor, body),
      until: until?.toISOString() ?? null,
      spending_controls: body.spending_controls ?? null,
      may_lift: toLiftable(actor),
      may_set: toSettable(actor),
    },
    cards: toCards(body),
  };
}

/** Null for an unfreeze of all levels, and for an operation without a level. Each item of an undo has its own. */
function toLevel(actor: Member, { operation, level, changed_by: changedBy }: Body) {
  return operation === "freeze" && changedBy === undefined
    ? requireSettable(actor, level)
    : (level ?? null);
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
