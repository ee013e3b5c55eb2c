import { and, asc, eq, gte } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { BulkItem, BulkJob } from "#lib/bulk/bulk-job.ts";
import { bulkItems, bulkJobs } from "#db/schema/bulk.ts";
import type { Tx } from "#db/transaction.ts";

/** Identifies a job. */
export type JobName = Pick<BulkJob, "integratorId" | "id">;

/** Locks a job. Returns undefined if it has ended, or another process is working on it. */
export async function lockJob(tx: Tx, job: JobName): Promise<BulkJob | undefined> {
  const [locked] = await selectJob(tx, job).for("update", { skipLocked: true });
  return locked?.state === "running" ? locked : undefined;
}

/** Selects a job. */
export function selectJob(tx: Tx, { integratorId, id }: JobName) {
  return tx
    .select()
    .from(bulkJobs)
    .where(and(eq(bulkJobs.integratorId, integratorId), eq(bulkJobs.id, id)));
}

/** The first waiting items of a job. */
export function findWaiting(tx: Tx, job: JobName, limit: number): Promise<BulkItem[]> {
  return findItems(tx, job, { which: eq(bulkItems.state, "waiting"), limit });
}

/** The items of a job from a position on. */
export function findFrom(
  tx: Tx,
  job: JobName,
  { from, limit }: { from: number; limit: number },
): Promise<BulkItem[]> {
  return findItems(tx, job, { which: gte(bulkItems.position, from), limit });
}

async function findItems(
  tx: Tx,
  { integratorId, id }: JobName,
  { which, limit }: { which: SQL; limit: number },
): Promise<BulkItem[]> {
  return tx
    .select()
    .from(bulkItems)
    .where(and(eq(bulkItems.integratorId, integratorId), eq(bulkItems.jobId, id), which))
    .orderBy(asc(bulkItems.position))
    .limit(limit);
}
