/** The classes of statuses, by their first digit. */
export const STATUS_CLASSES = ["2xx", "3xx", "4xx", "5xx"] as const;

export type StatusClass = (typeof STATUS_CLASSES)[number];

/** The smallest status of a refused request. */
export const REFUSED_FROM = 400;

/** How a body was kept: whole, redacted, or truncated; or why none was kept: malformed, unread, or none. */
export const BODY_FORMS = [
  "whole",
  "redacted",
  "truncated",
  "malformed",
  "unread",
  "none",
] as const;

/**
 * Whether the bodies of a request are kept: `kept`, redacted; off for the account; never, because the operation's
 * bodies hold a secret; or left out, because there were too many at once.
 */
export const BODY_STATES = ["kept", "off", "secret", "limited"] as const;

export type BodyState = (typeof BODY_STATES)[number];

/** Replaces a redacted value in a kept body. */
export const REDACTED = "[redacted]";
