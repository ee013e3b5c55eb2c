import type { CardFilter } from "#lib/cards/card-filter.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";
import type {
  BULK_OPERATIONS,
  BulkTerms,
  bulkItems,
  bulkJobs,
  ControlsChange,
  END_STATES,
  ITEM_STATES,
} from "#db/schema/bulk.ts";
import type { StoredFreeze } from "#db/schema/cards.ts";

/** How many cards a request may name, and how many a filter may match. */
export const ITEMS_MAX = 10_000;
export const MATCHED_MAX = 100_000;

export type BulkOperation = (typeof BULK_OPERATIONS)[number];
export type ItemState = (typeof ITEM_STATES)[number];
export type EndState = (typeof END_STATES)[number];

/** A request to do the same to many cards, and its progress. Amounts in minor units. */
export type BulkJob = typeof bulkJobs.$inferSelect;

/** A card of a job, and its result. */
export type BulkItem = typeof bulkItems.$inferSelect;

/** A card of a requested job. Without an amount, a debit moves everything available. */
export interface BulkCard {
  cardId: string;
  amount: number | null;
  narrative: string | null;
  /** The version of the card's status that the caller has seen; null if any will do. */
  seenVersion: number | null;
  /** In an inverse only: the level whose freeze it restores, and that freeze; null if it lifts one. */
  level?: FreezeLevel;
  restores?: StoredFreeze | null;
  /** In an inverse only: the change of spending controls that it makes. */
  restoresControls?: ControlsChange | null;
}

/** The cards of a job: listed ones, all that match a filter, or those that an earlier job changed. */
export type BulkCards =
  | { items: readonly BulkCard[] }
  | { filter: Omit<CardFilter, "limit"> }
  | { changedBy: string };

/** A requested job. */
export interface BulkRequest extends Pick<BulkJob, "operation" | "mode" | "isCheck"> {
  terms: BulkTerms;
  cards: BulkCards;
}
