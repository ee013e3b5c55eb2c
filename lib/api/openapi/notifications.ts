import { DECLARED } from "#lib/events/declared.ts";
import { toEventType } from "#lib/events/events.ts";
import { toExample } from "#lib/events/example.ts";
import { EVENTS } from "#lib/record/declared-events.ts";
import { EVENT_NAMES } from "#lib/record/event-catalog.ts";
import type { EventName } from "#lib/record/event-catalog.ts";

const HEADERS = [
  toHeader("webhook-id", "The event's id, the same in every attempt."),
  toHeader("webhook-timestamp", "When this attempt was signed, in seconds since 1970."),
  toHeader("webhook-signature", "The signature by Standard Webhooks, one per valid secret."),
  toHeader("traceparent", "This attempt in the trace of the request that caused the event.", {}),
];

function toHeader(name: string, description: string, presence: object = { required: true }) {
  return { name, in: "header", ...presence, description, schema: { type: "string" } };
}

/** The notification of every event, by the event's name. */
export function toNotifications() {
  return Object.fromEntries(EVENT_NAMES.map((name) => [name, { post: toNotification(name) }]));
}

function toNotification(name: EventName) {
  return {
    operationId: `on${toEventType(name)}`,
    summary: EVENTS[name],
    description:
      "Verify the signature before you trust it. Answer 2xx, also to events that you do not know.",
    tags: ["Events and webhooks"],
    security: [],
    parameters: HEADERS,
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${toEventType(name)}` },
          example: toExample(DECLARED[name]),
        },
      },
    },
    responses: {
      "2XX": { description: "Received. Anything else is tried again." },
      410: { description: "The endpoint is gone: notifications are switched off." },
    },
  };
}
