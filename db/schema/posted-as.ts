/**
 * How the card network posted a purchase, in the order of precedence: the first one that applies. Pages import this
 * file too, so it knows no table.
 */
export const POSTED_AS = [
  "without_authorization",
  "before_authorization",
  "after_decline",
  "after_reversal",
  "after_expiry",
  "stand_in",
  "after_close",
  "over_authorization",
  "authorized",
] as const;
export type PostedAs = (typeof POSTED_AS)[number];
