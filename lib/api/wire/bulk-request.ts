import type { Member } from "#lib/base/actor.ts";
import type { BulkRequest } from "#lib/bulk/bulk-job.ts";
import { requireBulkScope } from "#lib/bulk/bulk-rights.ts";
import { toCardFilter } from "#lib/api/wire/card-filter.ts";
import { requireSettable, toLiftable } from "#lib/cards/freeze-rights.ts";
import type { z } from "zod";
import type { createBulkJob } from "#lib/operations/bulk/create-bulk-job.ts";

/**
 * A job as it was asked for, with what its caller may do.
 * @throws DomainError `scope_missing`.
 */
export function toBulkRequest(
  actor: Member,
  body: z.output<NonNullable<(typeof createBulkJob)["body"]>>,
): BulkRequest {
  const { operation, items, filter, reason, comment, until, mode, check: isCheck } = body;
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
    cards: items
      ? {
          items: items.map(({ card_id: cardId, amount = "all", narrative }) => ({
            cardId,
            amount: amount === "all" ? null : amount,
            narrative,
          })),
        }
      : { filter: toCardFilter(filter ?? {}) },
  };
}
