/**
 * The state of a delivery: `pending` until it has arrived (`delivered`), has failed ten times (`exhausted`),
 * or notifications were switched off before it could arrive (`stopped`).
 */
export const DELIVERY_STATES = ["pending", "delivered", "exhausted", "stopped"] as const;

export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** How an attempt can fail, with an explanation. */
export const FAILURES = {
  address_refused: "Webhooks may not be sent to this address.",
  dns_failed: "The host name did not resolve.",
  connect_failed: "The connection could not be established.",
  tls_failed: "The TLS connection could not be established, or its certificate is not valid.",
  connection_lost: "The connection closed before the response was complete.",
  timed_out: "The response was not complete in time.",
  response_malformed: "The response was not valid HTTP.",
  redirected: "The endpoint returned a redirect. Redirects are not followed.",
  gone: "The endpoint returned 410 Gone: it no longer accepts events.",
  rate_limited: "The endpoint returned 429 Too Many Requests.",
  rejected: "The endpoint rejected the event.",
  server_failed: "The endpoint returned a server error.",
} as const;

export type Failure = keyof typeof FAILURES;

/** The explanation of a failure; null when there was none. */
export function explainFailure(failure: string | null): string | null {
  return Object.entries(FAILURES).find(([kind]) => kind === failure)?.[1] ?? null;
}

/** After this long without a successful delivery, an endpoint is switched off. */
export const FAILING_MAX_HOURS = 120;

/** Why we switched notifications off, as an explanation. */
export const SWITCH_OFF_REASONS = {
  gone: "The endpoint returned 410 Gone: it no longer accepts events.",
  failing: "No delivery succeeded for 120 hours.",
} as const;

export type SwitchOffReason = keyof typeof SWITCH_OFF_REASONS;

/** The state of an endpoint: `off` without a URL; `switched_off` when we gave up on its URL. */
export type EndpointState = "on" | "off" | "switched_off";

/** Why nothing can be sent in each state; null when sending is possible. */
export const SEND_DISABLED_REASONS: Readonly<Record<EndpointState, string | null>> = {
  on: null,
  off: "This account has no webhook URL. Set one first.",
  switched_off:
    "Webhooks were disabled because the endpoint kept failing or returned 410. Enable them first.",
};
