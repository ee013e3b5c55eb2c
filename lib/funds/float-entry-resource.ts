import { moneyCell } from "#lib/base/cell.ts";
import type { Cells } from "#lib/base/cell.ts";
import type { FloatEntry } from "#lib/funds/float-statement.ts";

export function toFloatEntryResource(entry: FloatEntry) {
  return {
    transfer_id: entry.transferId,
    kind: entry.kind,
    amount: entry.amount,
    currency: entry.currency,
    balance_after: entry.balanceAfter,
    version: entry.version,
    card_id: entry.cardId,
    narrative: entry.narrative,
    request_id: entry.requestId,
    created_at: entry.createdAt.toISOString(),
  };
}

/** The columns of a spreadsheet of the float's entries. A new one goes to the end. */
export const FLOAT_ENTRY_CELLS: Cells<FloatEntry> = {
  version: (entry) => entry.version,
  kind: (entry) => entry.kind,
  amount: (entry) => moneyCell(entry.amount, entry.currency),
  balance_after: (entry) => moneyCell(entry.balanceAfter, entry.currency),
  currency: (entry) => entry.currency,
  card_id: (entry) => entry.cardId,
  transfer_id: (entry) => entry.transferId,
  request_id: (entry) => entry.requestId,
  created_at: (entry) => entry.createdAt,
  narrative: (entry) => entry.narrative,
};
