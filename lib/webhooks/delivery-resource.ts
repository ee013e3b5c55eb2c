import type { Attempt, Delivery } from "#lib/webhooks/deliveries.ts";
import type { Missed } from "#lib/webhooks/recovery.ts";
import { explainFailure } from "#lib/webhooks/delivery-states.ts";

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
    last_attempt_at: delivery.lastAttemptAt?.toISOString() ?? null,
    last_status: delivery.lastStatus,
    last_failure: delivery.lastFailure,
    delivered_at: delivery.deliveredAt?.toISOString() ?? null,
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
    oldest_at: oldestAt?.toISOString() ?? null,
    newest_at: newestAt?.toISOString() ?? null,
  };
}
