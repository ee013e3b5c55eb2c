import { CARD_STATUSES } from "#lib/cards/card-state.ts";

/** What `status` in the list's URL can be: the cards in a status, or those with a freeze that ends today. */
export const CARD_SEGMENTS = [...CARD_STATUSES, "ends-today"] as const;

export type CardSegment = (typeof CARD_SEGMENTS)[number];
