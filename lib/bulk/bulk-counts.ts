import type { BulkJob, EndState, ItemState } from "#lib/bulk/bulk-job.ts";
import { END_STATES, ITEM_STATES } from "#db/schema/bulk.ts";

/** What a job has counted so far. */
export function toCounts({ total, done, unchanged, refused, canceled, amount }: BulkJob) {
  return { total, done, unchanged, refused, canceled, amount };
}

/** How many items of a job have not ended. */
export function countWaiting(job: Pick<BulkJob, "total" | EndState>): number {
  return END_STATES.reduce((waiting, state) => waiting - job[state], job.total);
}

/** How many items of a job have ended in each state, without the states in which none has. */
export function countEnds(job: BulkJob): { state: EndState; count: number }[] {
  return END_STATES.map((state) => ({ state, count: job[state] })).filter(({ count }) => count > 0);
}

/** The item state with this name; undefined for any other text. */
export function parseItemState(text: string | undefined): ItemState | undefined {
  return ITEM_STATES.find((state) => state === text);
}
