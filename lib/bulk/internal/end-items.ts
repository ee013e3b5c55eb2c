import { sql } from "drizzle-orm";
import type { ErrorCode } from "#lib/base/error-codes.ts";
import type { BulkItem, BulkJob, EndState } from "#lib/bulk/bulk-job.ts";
import { countEnded } from "#lib/bulk/internal/count-ended.ts";
import { NOTHING_TO_UNDO } from "#lib/bulk/internal/deeds.ts";
import type { Deed, Deeds } from "#lib/bulk/internal/deeds.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** Temporary refusals. Items that meet them wait. */
const PASSING: ReadonlySet<ErrorCode> = new Set(["clock_advancing", "books_unbalanced"]);

/** The result of an item. */
interface EndedItem extends Omit<Deed, "isChanged"> {
  position: number;
  state: EndState;
  code: string | null;
  detail: string | null;
}

/** The result of each item, from what was decided about it. Items that wait are left out. */
export function toEnded(job: BulkJob, items: readonly BulkItem[], deeds: Deeds): EndedItem[] {
  const isUndone = job.mode === "all_or_nothing" && deeds.some((deed) => "refusal" in deed);
  return items.flatMap((item, at) => toEndedItem(item, deeds[at], isUndone) ?? []);
}

/** Null for an item that waits. */
function toEndedItem(
  { position }: BulkItem,
  deed: Deeds[number] | undefined,
  isUndone: boolean,
): EndedItem | null {
  if (!deed) {
    throw new Error("Fewer items were decided than there are.");
  }
  if ("refusal" in deed) {
    const { code, detail } = deed.refusal;
    return PASSING.has(code) ? null : { ...toUntouched(position, "refused"), code, detail };
  }
  if (isUndone) {
    return toUntouched(position, "canceled");
  }
  const { isChanged, ...done } = deed.done;
  return { ...toUntouched(position, isChanged ? "done" : "unchanged"), ...done };
}

export function toFailed({ position }: BulkItem): EndedItem {
  return {
    ...toUntouched(position, "refused"),
    code: "internal_error",
    detail: "Something went wrong on our side. Nothing was changed.",
  };
}

/** An item that moved and changed nothing. */
function toUntouched(position: number, state: EndState): EndedItem {
  return {
    position,
    state,
    code: null,
    detail: null,
    amount: 0,
    ...NOTHING_TO_UNDO,
  };
}

/** Writes the results of a locked job's items. @returns whether there were any. */
export async function endItems(
  tx: Tx,
  job: BulkJob,
  ended: readonly EndedItem[],
): Promise<boolean> {
  const [first] = ended;
  if (!first) {
    return false;
  }
  const { integratorId, id } = job;
  markCommit(
    tx,
    sql`exists (select from bulk_items
      where integrator_id = ${integratorId} and job_id = ${id} and position = ${first.position} and state <> 'waiting')`,
  );
  const column = (read: (item: EndedItem) => unknown) => sql.param(ended.map(read));
  await tx.execute(sql`
    update bulk_items set state = ended.state, code = ended.code, detail = ended.detail,
      replaced = ended.replaced::jsonb, left_version = ended.left_version, replaced_controls = ended.replaced_controls::jsonb,
      restores = null, restores_controls = null, narrative = null
    from unnest(
      ${column((item) => item.position)}::int[], ${column((item) => item.state)}::text[],
      ${column((item) => item.code)}::text[], ${column((item) => item.detail)}::text[],
      ${column(({ replaced }) => replaced && JSON.stringify(replaced))}::text[],
      ${column((item) => item.leftVersion)}::int[],
      ${column(({ replacedControls: change }) => change && JSON.stringify(change))}::text[]
    ) as ended (position, state, code, detail, replaced, left_version, replaced_controls)
    where bulk_items.integrator_id = ${integratorId} and bulk_items.job_id = ${id}
      and bulk_items.position = any(${column((item) => item.position)}::int[]) and bulk_items.position = ended.position`);
  const counts = new Map<EndState, number>();
  for (const { state } of ended) {
    counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  const amount = ended.reduce((sum, item) => sum + item.amount, 0);
  await countEnded(tx, job, { ...Object.fromEntries(counts), amount, state: "completed" });
  return true;
}
