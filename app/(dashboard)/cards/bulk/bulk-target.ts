import type { BulkCard } from "./bulk-card.ts";
import type { OPERATIONS } from "../../../client/operations.ts";
import type { BodyOf } from "#lib/api/client.ts";

type Body = BodyOf<typeof OPERATIONS.createBulkJob>;

/** Cards that the page does not show: all that match a filter. */
export interface UnseenCards {
  source: Pick<Body, "filter">;
  /** Which they are, as a title says it: "all 12,408 cards that match". */
  words: string;
  /** The same as a button says it: "12,408 cards". */
  short: string;
}

/** The cards that an action is about. */
export type BulkTarget = { cards: readonly BulkCard[] } | UnseenCards;
