import type { OpenHolds } from "#lib/transactions/card-purchases.ts";
import { toOpenHold } from "#lib/transactions/card-transaction-records.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** A transaction that can still be captured, reversed or given back, as a dialog names it. Minor units. */
export interface Choosable {
  id: string;
  /** Where it was made, in the merchant's words. */
  name: string;
  /** What of it is still open. */
  open: number;
}

/** The open authorizations of a card, as its dialogs need them; `count` is of all, `rows` are the first to expire. */
export interface Held {
  count: number;
  rows: readonly Choosable[];
}

/** What a browser needs to know of open authorizations. */
export function toHeld({ count, rows }: OpenHolds): Held {
  return { count, rows: rows.map((row) => toChoosable(row, toOpenHold(row))) };
}

/** What a browser needs to know of purchases that can be given back. */
export function toRefundable(purchases: readonly Transaction[]): Choosable[] {
  return purchases.map((row) => toChoosable(row, row.amount - row.refunded));
}

function toChoosable({ id, merchant, narrative }: Transaction, open: number): Choosable {
  return { id, name: merchant?.name ?? narrative ?? `No narrative, ${id.slice(-6)}`, open };
}
