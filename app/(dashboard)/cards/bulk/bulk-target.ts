import type { BulkCard } from "./bulk-card.ts";
import type { OPERATIONS } from "../../../client/operations.ts";
import type { BodyOf } from "#lib/api/client.ts";

type Body = BodyOf<typeof OPERATIONS.createBulkJob>;

/** Cards that the page does not show: all that match a filter. */
export interface UnseenCards {
  source: Pick<Body, "filter">;
  /** The cards in the words of a title: "all 12,408 cards that match". */
  words: string;
  /** The cards in the words of a button: "12,408 cards". */
  short: string;
}

/** The cards that an action applies to. */
export type BulkTarget = { cards: readonly BulkCard[] } | UnseenCards;
