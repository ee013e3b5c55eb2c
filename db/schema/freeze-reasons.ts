/** Why a card was frozen. `other` requires a comment. */
export const FREEZE_REASONS = [
  "cardholder_request",
  "lost",
  "stolen",
  "suspected_fraud",
  "compromised",
  "inactivity",
  "internal_review",
  "compliance",
  "other",
] as const;
