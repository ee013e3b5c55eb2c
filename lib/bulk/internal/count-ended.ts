import { and, eq, sql } from "drizzle-orm";
import { countWaiting, toCounts } from "#lib/bulk/bulk-counts.ts";
import type { BulkJob, EndState } from "#lib/bulk/bulk-job.ts";
import { notFound } from "#lib/base/errors.ts";
import { recordAccountEvents } from "#lib/record/events.ts";
import { bulkJobs } from "#db/schema/bulk.ts";
import { integrators } from "#db/schema/integrators.ts";
import type { Tx } from "#db/transaction.ts";

/** How many items ended in each state, and what they moved. */
export interface Ended extends Partial<Record<EndState, number>> {
  amount?: number;
  /** The state of a job that ends with them. */
  state: "completed" | "canceled";
}

/**
 * Adds ended items to a locked job's counts. With its last item, the job ends: `bulk.completed` is recorded, and the
 * job's comment is removed.
 */
export async function countEnded(tx: Tx, job: BulkJob, ended: Ended): Promise<BulkJob> {
  const counts = {
    done: job.done + (ended.done ?? 0),
    unchanged: job.unchanged + (ended.unchanged ?? 0),
    refused: job.refused + (ended.refused ?? 0),
    canceled: job.canceled + (ended.canceled ?? 0),
  };
  const isLast = countWaiting({ total: job.total, ...counts }) === 0;
  const [counted] = await tx
    .update(bulkJobs)
    .set({
      ...counts,
      amount: job.amount + (ended.amount ?? 0),
      ...(isLast && {
        state: ended.state,
        endedAt: sql`clock_timestamp()`,
        terms: { ...job.terms, comment: null },
      }),
    })
    .where(and(eq(bulkJobs.integratorId, job.integratorId), eq(bulkJobs.id, job.id)))
    .returning();
  if (!counted) {
    throw notFound("bulk_job_not_found");
  }
  if (isLast) {
    await recordEnd(tx, counted);
  }
  return counted;
}

async function recordEnd(tx: Tx, job: BulkJob): Promise<void> {
  const [integrator] = await tx
    .select({ integratorId: integrators.id, apiVersion: integrators.apiVersion })
    .from(integrators)
    .where(eq(integrators.id, job.integratorId));
  if (!integrator) {
    throw notFound("integrator_not_found");
  }
  const { id, operation, isCheck, state } = job;
  await recordAccountEvents(tx, integrator, [
    {
      event: "bulk.completed",
      subject: { type: "account", id: job.integratorId },
      actor: job.actor,
      requestId: job.requestId,
      data: { id, operation, check: isCheck, state, ...toCounts(job) },
    },
  ]);
}
