/**
 * Where a delivery stands: `pending` until it has arrived (`delivered`), has failed ten times (`exhausted`), or
 * notifications were switched off before it could arrive (`stopped`).
 */
export const DELIVERY_STATES = ["pending", "delivered", "exhausted", "stopped"] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** How a try can fail, and what that means in words. */
export const FAILURES = {
  address_refused: "The address is not one that notifications may go to.",
  dns_failed: "The host's name did not resolve.",
  connect_failed: "No connection could be made.",
  tls_failed: "The secure connection could not be made, or its certificate is not valid.",
  connection_lost: "The connection ended before the answer was complete.",
  timed_out: "The answer was not complete in time.",
  response_malformed: "What came back is not HTTP.",
  redirected: "The receiver answered with a redirect, which is never followed.",
  gone: "The receiver answered 410: it wants no more notifications.",
  rate_limited: "The receiver answered 429: too many requests.",
  rejected: "The receiver refused the notification.",
  server_failed: "The receiver failed.",
} as const;

export type Failure = keyof typeof FAILURES;

/** A failure in words; null where there was none. */
export function explainFailure(failure: string | null): string | null {
  return Object.entries(FAILURES).find(([kind]) => kind === failure)?.[1] ?? null;
}

/** Why notifications were switched off without being asked, in words. */
export const SWITCH_OFF_REASONS = {
  gone: "The receiver answered 410: it wants no more notifications.",
  failing: "Nothing has arrived for 120 hours.",
} as const;

export type SwitchOffReason = keyof typeof SWITCH_OFF_REASONS;

/** Where an endpoint stands: `off` without a URL; `switched_off` when we gave up on the one there is. */
export type EndpointState = "on" | "off" | "switched_off";

/** Why nothing can be sent while the endpoint stands there; null where it can. */
export const SEND_OBSTACLES: Readonly<Record<EndpointState, string | null>> = {
  on: null,
  off: "This account has no webhook_url to send to.",
  switched_off:
    "Notifications were switched off because the receiver kept failing or answered 410. Switch them on first.",
};
