/** The classes of statuses, by their first digit. */
export const STATUS_CLASSES = ["2xx", "3xx", "4xx", "5xx"] as const;

export type StatusClass = (typeof STATUS_CLASSES)[number];

/** The smallest status of a refused request. */
export const REFUSED_FROM = 400;

/** What a kept body is: as it was, with values replaced, cut off, or absent. */
export const BODY_FORMS = [
  "whole",
  "redacted",
  "truncated",
  "malformed",
  "unread",
  "none",
] as const;

/**
 * What became of the bodies of a request: kept, redacted; off for the account; never kept, because the operation's
 * bodies hold a secret; or left out, because there were too many at once.
 */
export const BODY_STATES = ["kept", "off", "secret", "limited"] as const;

export type BodyState = (typeof BODY_STATES)[number];

/** What stands in a kept body for a value that is not kept. */
export const REDACTED = "[redacted]";
