import type { BulkJob, EndState } from "#lib/bulk/bulk-job.ts";
import { END_STATES } from "#db/schema/bulk.ts";

/** What a job has counted so far. */
export function toCounts({ total, done, unchanged, refused, canceled, amount }: BulkJob) {
  return { total, done, unchanged, refused, canceled, amount };
}

/** How many items of a job have not ended. */
export function countWaiting(job: Pick<BulkJob, "total" | EndState>): number {
  return END_STATES.reduce((waiting, state) => waiting - job[state], job.total);
}
