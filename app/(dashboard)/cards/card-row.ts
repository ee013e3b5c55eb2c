import type { BulkCard } from "./bulk/bulk-card.ts";

/** A card as the list shows it, as data: rendered cells would take the place of three rows in the page. */
export interface CardRow extends BulkCard {
  currency: string;
  /** In minor units, as `available`. */
  balance: number;
  available: number;
  /** ISO 8601. */
  createdAt: string;
}
