/**
 * The kinds of transfers that move the float: a bank transfer, a credit to a card, a debit from one, the sweep of a
 * closed card, the cover of a purchase that its card cannot pay in full, the return of cover by a refund, and the
 * repayment of the deficit.
 */
export const FLOAT_KINDS = [
  "float_top_up",
  "card_credit",
  "card_debit",
  "card_sweep",
  "cover",
  "cover_return",
  "deficit_repayment",
] as const;
export type FloatKind = (typeof FLOAT_KINDS)[number];

/** The kinds in words for people. */
export const FLOAT_KIND_NAMES: Readonly<Record<FloatKind, string>> = {
  float_top_up: "Top-up",
  card_credit: "Funded card",
  card_debit: "Returned from card",
  card_sweep: "Returned from closed card",
  cover: "Covered purchase of card",
  cover_return: "Cover returned from card",
  deficit_repayment: "Deficit repaid",
};
