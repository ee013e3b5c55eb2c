/**
 * The state of a delivery: `pending` until it has arrived (`delivered`), has failed ten times (`exhausted`),
 * or notifications were switched off before it could arrive (`stopped`).
 */
export const DELIVERY_STATES = ["pending", "delivered", "exhausted", "stopped"] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** How an attempt can fail, with an explanation. */
export const FAILURES = {
  address_refused: "Notifications may not be sent to this address.",
  dns_failed: "The host's name did not resolve.",
  connect_failed: "The connection could not be established.",
  tls_failed: "The TLS connection could not be established, or its certificate is not valid.",
  connection_lost: "The connection ended before the answer was complete.",
  timed_out: "The answer was not complete in time.",
  response_malformed: "The response is not HTTP.",
  redirected: "The receiver answered with a redirect, which is never followed.",
  gone: "The receiver answered 410: it no longer wants notifications.",
  rate_limited: "The receiver answered 429: too many requests.",
  rejected: "The receiver refused the notification.",
  server_failed: "The receiver failed.",
} as const;

export type Failure = keyof typeof FAILURES;

/** The explanation of a failure; null when there was none. */
export function explainFailure(failure: string | null): string | null {
  return Object.entries(FAILURES).find(([kind]) => kind === failure)?.[1] ?? null;
}

/** Why we switched notifications off, as an explanation. */
export const SWITCH_OFF_REASONS = {
  gone: "The receiver answered 410: it no longer wants notifications.",
  failing: "Nothing has arrived for 120 hours.",
} as const;

export type SwitchOffReason = keyof typeof SWITCH_OFF_REASONS;

/** The state of an endpoint: `off` without a URL; `switched_off` when we gave up on its URL. */
export type EndpointState = "on" | "off" | "switched_off";

/** Why nothing can be sent in each state; null when sending is possible. */
export const SEND_DISABLED_REASONS: Readonly<Record<EndpointState, string | null>> = {
  on: null,
  off: "This account has no webhook_url to send to.",
  switched_off:
    "Notifications were switched off because the receiver kept failing or answered 410. Turn them back on first.",
};
