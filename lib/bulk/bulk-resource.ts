import { moneyCell } from "#lib/base/cell.ts";
import type { Cells } from "#lib/base/cell.ts";
import type { Card } from "#lib/cards/card-resource.ts";
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
    spending_controls: terms.spending_controls,
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

/** A result, its card, if that exists, and the currency of its amount. */
interface ResultRow {
  item: BulkItem;
  card: Card | undefined;
  currency: string;
}

/** The columns of a spreadsheet of a job's results. A new one goes to the end. */
export const BULK_RESULT_CELLS: Cells<ResultRow> = {
  card_id: ({ item }) => item.cardId,
  name: ({ card }) => card?.cardName ?? null,
  last4: ({ card }) => card?.last4 ?? null,
  amount: ({ item, currency }) => moneyCell(item.amount, currency),
  currency: ({ currency }) => currency,
  state: ({ item }) => item.state,
  code: ({ item }) => item.code,
  detail: ({ item }) => item.detail,
  level: ({ item }) => item.level,
};
