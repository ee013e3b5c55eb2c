/** Who may lift a freeze, from the least to the most privileged. A card has at most one freeze of each level. */
export const FREEZE_LEVELS = ["cardholder", "staff", "compliance"] as const;

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
