/**
 * What moves the float: a bank transfer, a credit to a card, a debit from one, the return of what a closed card held, what it
 * pays of a purchase that its card cannot pay, what a refund gives back of that, and the repayment of its deficit.
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
