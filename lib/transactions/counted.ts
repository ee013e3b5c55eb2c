import { countIn } from "#lib/cards/limit-uses.ts";
import type { Counted } from "#lib/cards/limit-uses.ts";
import type { LockedAccounts } from "#lib/ledger/accounts.ts";
import type { TransactionRow } from "#lib/transactions/card-transaction-records.ts";
import type { LimitUses } from "#db/schema/spending-controls.ts";

/** How much of a card's limits a row uses, in minor units, and when by the integrator's clock. Null for nothing. */
export type CountedColumns = Pick<TransactionRow, "counted" | "countedAt">;

type CountedRow = CountedColumns & Pick<TransactionRow, "cardId" | "merchant" | "authorizedAs">;

/** A change of what a row counts. */
export interface Recount {
  of: CountedRow;
  to: CountedColumns;
}

/** What a new row counts. */
export function toCounted(amount: number, countedAt: Date): CountedColumns {
  return amount > 0 ? { counted: amount, countedAt } : { counted: null, countedAt: null };
}

/** Reduces what a row counts by what it no longer holds. The row stays in its period. */
export function countLess(of: CountedRow, amount: number): Recount {
  const { counted, countedAt } = of;
  return { of, to: { counted: counted === null ? null : counted - amount, countedAt } };
}

/** Increases what a row counts. From now on, all of it counts in the period of this moment. */
export function countMore(of: CountedRow, amount: number, countedAt: Date): Recount {
  return { of, to: toCounted((of.counted ?? 0) + amount, countedAt) };
}

/** The category under which a row counts: what its authorization said, whatever its clearing says. */
export function toCountedCategory({
  merchant,
  authorizedAs,
}: Pick<TransactionRow, "merchant" | "authorizedAs">): string | null {
  return (authorizedAs ? authorizedAs.merchant : merchant)?.mcc ?? null;
}

/**
 * What cards will have used of their limits once these rows are written. Includes only cards whose use changes or was
 * just read again.
 */
export function toChangedUses(
  accounts: LockedAccounts,
  rows: readonly CountedRow[],
  updates: readonly { recount?: Recount }[],
): ReadonlyMap<string, LimitUses | null> {
  const changed = new Map<string, LimitUses | null>();
  for (const { id, limitUses, hasNewUses } of accounts.byId.values()) {
    if (hasNewUses === true) {
      changed.set(id, limitUses);
    }
  }
  const count = ({ cardId }: CountedRow, counted: readonly Counted[]) => {
    const uses = changed.has(cardId) ? changed.get(cardId) : accounts.byId.get(cardId)?.limitUses;
    if (uses && counted.length > 0) {
      changed.set(cardId, counted.reduce(countIn, uses));
    }
  };
  for (const row of rows) {
    count(row, toParts(row, row, 1));
  }
  for (const { recount } of updates) {
    if (recount) {
      const { of, to } = recount;
      count(of, [...toParts(of, of, -1), ...toParts(of, to, 1)]);
    }
  }
  return changed;
}

/** What a row counts, with a sign. */
function toParts(row: CountedRow, { counted, countedAt }: CountedColumns, sign: 1 | -1): Counted[] {
  return counted === null || countedAt === null
    ? []
    : [{ counted: sign * counted, countedAt, category: toCountedCategory(row) }];
}
