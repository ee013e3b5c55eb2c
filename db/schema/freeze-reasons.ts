/** Who may lift a freeze, from the least to the most privileged. A card has at most one freeze of each level. */
export const FREEZE_LEVELS = ["cardholder", "staff", "compliance"] as const;

/** Why a card was frozen. `other` requires a comment. */
export const FREEZE_REASONS = [
  "cardholder_request",
  "lost",
  "stolen",
  "suspected_fraud",
  "too_many_declines",
  "compromised",
  "inactivity",
  "internal_review",
  "compliance",
  "other",
] as const;

/** The JSON path condition that every stored freeze meets. `other` requires a comment. */
export const WHOLE_FREEZE = [
  '@.frozen_at.type() == "string"',
  '@.actor.type() == "object"',
  '(@.until == null || @.until.type() == "string")',
  `(@.reason == null || ${FREEZE_REASONS.map((reason) => `@.reason == "${reason}"`).join(" || ")})`,
  '(@.reason != "other" || @.comment.type() == "string")',
].join(" && ");
