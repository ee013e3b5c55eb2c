import { toCounts } from "#lib/bulk/bulk-counts.ts";
import type { BulkItem, BulkJob } from "#lib/bulk/bulk-job.ts";

export function toBulkJobResource(job: BulkJob) {
  const { id, operation, mode, undoes, isCheck, terms, state, actor, createdAt, endedAt } = job;
  return {
    id,
    operation,
    mode,
    check: isCheck,
    changed_by: undoes,
    reason: terms.reason,
    level: terms.level,
    until: terms.until,
    state,
    ...toCounts(job),
    actor,
    created_at: createdAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}

export function toBulkResultResource({
  position,
  cardId,
  amount,
  level,
  state,
  code,
  detail,
}: BulkItem) {
  return { position, card_id: cardId, amount, level, state, code, detail };
}
