import type { OpenHolds } from "#lib/transactions/card-purchases.ts";
import { toOpenHold } from "#lib/transactions/transaction-resource.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** A transaction that can still be captured, reversed, or refunded, as a dialog lists it. In minor units. */
export interface Choosable {
  id: string;
  /** Where it was made, in the merchant's words. */
  name: string;
  /** The amount that is still open. */
  open: number;
}

/** A card's open authorizations for its dialogs: `count` is of all, `rows` are the first to expire. */
export interface Held {
  count: number;
  rows: readonly Choosable[];
}

/** The open authorizations, reduced to what the browser needs. */
export function toHeld({ count, rows }: OpenHolds): Held {
  return { count, rows: rows.map((row) => toChoosable(row, toOpenHold(row))) };
}

/** The refundable purchases, reduced to what the browser needs. */
export function toRefundable(purchases: readonly Transaction[]): Choosable[] {
  return purchases.map((row) => toChoosable(row, row.amount - row.refunded));
}

function toChoosable({ id, merchant, narrative }: Transaction, open: number): Choosable {
  return { id, name: merchant?.name ?? narrative ?? `No narrative, ${id.slice(-6)}`, open };
}
