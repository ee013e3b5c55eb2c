import type { BulkItem, BulkJob } from "#lib/bulk/bulk-job.ts";

export function toBulkJobResource(job: BulkJob) {
  const { id, operation, mode, isCheck, state, total, done, unchanged, refused, canceled } = job;
  const { amount, actor, createdAt, endedAt } = job;
  return {
    id,
    operation,
    mode,
    check: isCheck,
    state,
    total,
    done,
    unchanged,
    refused,
    canceled,
    amount,
    actor,
    created_at: createdAt.toISOString(),
    ended_at: endedAt?.toISOString() ?? null,
  };
}

export function toBulkResultResource({ position, cardId, amount, state, code, detail }: BulkItem) {
  return { position, card_id: cardId, amount, state, code, detail };
}
