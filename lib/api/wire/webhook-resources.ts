import type { z } from "zod";
import type { eventSchema } from "#lib/api/contract/webhook-resources.ts";
import type { Attempt, Delivery, Missed } from "#lib/webhooks/deliveries.ts";
import { explainFailure } from "#lib/webhooks/delivery-states.ts";
import type { InboxNotification } from "#lib/webhooks/inbox.ts";
import { explainFault } from "#lib/webhooks/signature-faults.ts";
import type { RecordedEvent } from "#lib/webhooks/event-reads.ts";
import type { Endpoint } from "#lib/webhooks/endpoints.ts";

const toTime = (at: Date | null) => at?.toISOString() ?? null;

export function toDeliveryResource(delivery: Delivery) {
  return {
    id: delivery.id,
    endpoint_id: delivery.endpointId,
    event_id: delivery.eventId,
    event: delivery.event,
    card_id: delivery.cardId,
    state: delivery.state,
    attempt_count: delivery.attempts,
    next_attempt_at: delivery.state === "pending" ? delivery.dueAt.toISOString() : null,
    last_attempt_at: toTime(delivery.lastAttemptAt),
    last_status: delivery.lastStatus,
    last_failure: delivery.lastFailure,
    delivered_at: toTime(delivery.deliveredAt),
    created_at: delivery.createdAt.toISOString(),
  };
}

export function toDeliveryWithAttemptsResource(shown: {
  delivery: Delivery;
  body: string;
  attempts: readonly Attempt[];
}) {
  return {
    ...toDeliveryResource(shown.delivery),
    request_body: shown.body,
    attempts: shown.attempts.map(toAttemptResource),
  };
}

function toAttemptResource(attempt: Attempt) {
  return {
    number: attempt.number,
    url: attempt.url,
    address: attempt.address,
    started_at: attempt.startedAt.toISOString(),
    duration_ms: attempt.durationMs,
    status: attempt.status,
    failure: attempt.failure,
    explanation: explainFailure(attempt.failure),
    detail: attempt.detail,
    request_headers: attempt.requestHeaders,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
  };
}

export function toMissedResource({
  count,
  waiting,
  complete,
  byEvent,
  oldestAt,
  newestAt,
}: Missed) {
  return {
    count,
    waiting,
    complete,
    by_event: [...byEvent],
    oldest_at: toTime(oldestAt),
    newest_at: toTime(newestAt),
  };
}

/** A page of events, each byte for byte as its notification sends it. */
export function toEventList(events: readonly RecordedEvent[], nextCursor: string | null): string {
  const bodies = events.map(({ body }) => body).join(",");
  return `{"data":[${bodies}],"next_cursor":${JSON.stringify(nextCursor)}}`;
}

/** The event as its notification sends it. */
export function toEventResource({ body }: RecordedEvent): z.input<typeof eventSchema> {
  return JSON.parse(body);
}

export function toEndpointResource(endpoint: Endpoint) {
  return {
    id: endpoint.id,
    webhook_url: endpoint.webhookUrl,
    events: endpoint.events && [...endpoint.events],
    headers: { ...endpoint.headers },
    state: endpoint.state,
    switched_off_at: toTime(endpoint.switchedOffAt),
    switched_off_reason: endpoint.switchedOffReason,
    failing_since: toTime(endpoint.failingSince),
    last_success_at: toTime(endpoint.lastSuccessAt),
    last_failure_at: toTime(endpoint.lastFailureAt),
    previous_secret_until: toTime(endpoint.previousSecretUntil),
  };
}

export function toInboxNotificationResource(notification: InboxNotification) {
  const { id, createdAt, event, deliveryId, secret, fault, headers, body } = notification;
  return {
    id,
    received_at: createdAt.toISOString(),
    event,
    delivery_id: deliveryId,
    verified: secret !== null,
    secret,
    failure: fault,
    explanation: explainFault(fault),
    headers,
    body,
  };
}
