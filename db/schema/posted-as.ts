/**
 * How the card network posted a purchase, in the order in which they are tried: the first that applies. Pages import it too,
 * so it knows no table.
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
