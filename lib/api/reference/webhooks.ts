import type { Entries } from "#lib/api/reference/entry.ts";
import { EVENT_EXAMPLES } from "#lib/api/reference/events.ts";
import { IDS } from "#lib/api/reference/samples.ts";

const AT = "2026-11-21T07:56:40.105Z";
const SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

const PENDING = {
  id: IDS.delivery,
  event: "webhook.test",
  card_id: null,
  state: "pending",
  attempt_count: 0,
  next_attempt_at: AT,
  last_attempt_at: null,
  last_status: null,
  last_failure: null,
  delivered_at: null,
  created_at: AT,
};

const DELIVERED = {
  ...PENDING,
  state: "delivered",
  attempt_count: 1,
  next_attempt_at: null,
  last_attempt_at: AT,
  last_status: 200,
  delivered_at: AT,
};

const ATTEMPT = {
  number: 1,
  url: "https://hooks.northwind.example/floatdeck",
  address: "203.0.113.20",
  started_at: AT,
  duration_ms: 84,
  status: 200,
  failure: null,
  explanation: null,
  detail: null,
  request_headers: { "webhook-id": IDS.delivery, "webhook-timestamp": "1795247800" },
  response_headers: { "content-type": "text/plain" },
  response_body: "ok",
};

const ENDPOINT = {
  webhook_url: "https://hooks.northwind.example/floatdeck",
  state: "on",
  switched_off_at: null,
  switched_off_reason: null,
  failing_since: null,
  last_success_at: AT,
  last_failure_at: null,
  previous_secret_until: null,
};

export const WEBHOOKS: Entries = {
  listEvents: {
    description:
      "Complete and in a stable order: read on from next_cursor, and you miss nothing. An event is listed a moment after it happened, once nothing older can still be recorded.",
    example: {
      query: { subject_id: IDS.card, event: "card.created,card.credited", limit: "15" },
      answer: { data: [EVENT_EXAMPLES["card.created"]], next_cursor: `41882.${IDS.delivery}` },
    },
  },
  getEvent: {
    description: "As its notification sent it.",
    example: { id: IDS.delivery, answer: { data: EVENT_EXAMPLES["webhook.test"] } },
  },
  listWebhookDeliveries: {
    description: "Whether each event has arrived at the endpoint.",
    example: {
      query: { state: "pending,delivered", limit: "15" },
      answer: { data: [PENDING], next_cursor: null },
    },
  },
  getWebhookDelivery: {
    description: "With the latest 100 attempts, each as it was sent and answered.",
    example: {
      id: IDS.delivery,
      answer: {
        data: {
          ...DELIVERED,
          request_body: JSON.stringify(EVENT_EXAMPLES["webhook.test"]),
          attempts: [ATTEMPT],
        },
      },
    },
  },
  resendWebhookDelivery: {
    description: "Whether or not it has arrived before. Its retries start anew.",
    example: { id: IDS.delivery, answer: { data: PENDING } },
  },
  recoverWebhookDeliveries: {
    description: "After an outage of your endpoint: at most 10,000 at once, oldest first.",
    example: {
      body: { since: "2026-11-20T00:00:00Z" },
      answer: { data: { recovered: 3, complete: true } },
    },
  },
  getWebhooks: {
    description: "Whether events are sent, and how the endpoint has answered lately.",
    example: { answer: { data: ENDPOINT } },
  },
  sendTestWebhook: {
    description: "Sends a webhook.test event to the endpoint.",
    example: { answer: { data: PENDING } },
  },
  enableWebhooks: {
    description: "After the endpoint failed for too long, or answered 410.",
    example: { answer: { data: ENDPOINT } },
  },
  rotateWebhookSecret: {
    description:
      "The new secret is shown here; owners can reveal it later. Up to five previous secrets sign at once; a sixth rotation within 24 hours is refused. A member of staff must be an owner with a recent sign-in.",
    example: { answer: { data: { secret: SECRET } } },
  },
  revealWebhookSecret: {
    description: "Recorded in the audit log.",
    example: { answer: { data: { secret: SECRET } } },
  },
};
