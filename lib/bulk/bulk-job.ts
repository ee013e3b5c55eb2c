import type { CardFilter } from "#lib/cards/card-filter.ts";
import type {
  BULK_OPERATIONS,
  BulkTerms,
  bulkItems,
  bulkJobs,
  ITEM_STATES,
} from "#db/schema/bulk.ts";

export type BulkOperation = (typeof BULK_OPERATIONS)[number];
export type ItemState = (typeof ITEM_STATES)[number];

/** A request to do the same to many cards, and how far it is. Amounts in minor units. */
export type BulkJob = typeof bulkJobs.$inferSelect;

/** A card of a job, and what became of it. */
export type BulkItem = typeof bulkItems.$inferSelect;

/** A card of a job to be made. Without an amount, a debit moves everything available. */
export interface BulkCard {
  cardId: string;
  amount: number | null;
  narrative: string | null;
}

/** A job to be made. */
export interface BulkRequest extends Pick<BulkJob, "operation" | "mode" | "isCheck"> {
  terms: BulkTerms;
  cards: { cardIds: readonly BulkCard[] } | { filter: Omit<CardFilter, "limit"> };
}
