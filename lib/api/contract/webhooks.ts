import { z } from "zod";
import { cursor, limit, moment, idSchema } from "#lib/api/contract/fields.ts";
import { oneOrMore } from "#lib/api/contract/filters.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { pageOf } from "#lib/api/contract/resources.ts";
import {
  deliverySchema,
  deliveryWithAttemptsSchema,
  endpointSchema,
  eventSchema,
} from "#lib/api/contract/webhook-resources.ts";
import { EVENT_NAMES } from "#lib/record/event-catalog.ts";
import { DELIVERY_STATES } from "#lib/webhooks/delivery-states.ts";
import { EVENT_WAIT_MAX_S } from "#lib/webhooks/event-wait-limits.ts";
import { logSafe } from "#lib/base/log-safe.ts";

const RECOVERABLE_MS = 30 * 24 * 3_600_000;
const SINCE = "This field must be a time within the last 30 days.";

const NOTIFICATIONS_OFF = ["webhook_url_missing", "notifications_switched_off"] as const;

const WAIT = `This field must be a whole number of seconds, 0 to ${EVENT_WAIT_MAX_S}.`;

const wait = z
  .string()
  .regex(/^[0-9]{1,2}$/u, WAIT)
  .transform(Number)
  .pipe(z.int().max(EVENT_WAIT_MAX_S, WAIT))
  .meta({ document: { type: "integer", minimum: 0, maximum: EVENT_WAIT_MAX_S } })
  .default(0)
  .describe(
    `If there is no event yet, wait for one for up to this many seconds, at most ${EVENT_WAIT_MAX_S}. Without one, data is empty.`,
  );

export const listEvents = operation({
  id: "listEvents",
  method: "GET",
  path: "/events",
  summary:
    "List events, oldest first. next_cursor is present on the last page too, to resume from later",
  kind: "read",
  scope: "webhooks:read",
  query: z.strictObject({
    event: oneOrMore(EVENT_NAMES).optional(),
    card_id: idSchema.optional().describe("Events whose subject is this card."),
    subject_id: idSchema
      .optional()
      .describe("Events whose subject is this card, float, account, or cardholder."),
    limit,
    after: cursor
      .optional()
      .describe(
        'The next_cursor of an earlier response; or "now", for the events recorded from now on.',
      ),
    wait,
  }),
  answer: pageOf(eventSchema),
  errors: ["overloaded"],
});

export const getEvent = operation({
  id: "getEvent",
  method: "GET",
  path: "/events/{id}",
  summary: "Get an event",
  kind: "read",
  tagged: true,
  scope: "webhooks:read",
  notFound: "event_not_found",
  answer: z.strictObject({ data: eventSchema }),
});

export const listWebhookDeliveries = operation({
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/webhook-deliveries",
  summary: "List notification deliveries, newest first",
  kind: "read",
  scope: "webhooks:read",
  query: z.strictObject({
    state: oneOrMore(DELIVERY_STATES).optional(),
    event: oneOrMore(EVENT_NAMES).optional(),
    card_id: idSchema.optional(),
    limit,
    cursor: cursor.optional(),
  }),
  answer: pageOf(deliverySchema),
});

export const getWebhookDelivery = operation({
  id: "getWebhookDelivery",
  method: "GET",
  path: "/webhook-deliveries/{id}",
  summary: "Get a delivery with the request and response of each attempt",
  kind: "read",
  tagged: true,
  scope: "webhooks:read",
  notFound: "delivery_not_found",
  answer: z.strictObject({ data: deliveryWithAttemptsSchema }),
});

export const resendWebhookDelivery = operation({
  id: "resendWebhookDelivery",
  method: "POST",
  path: "/webhook-deliveries/{id}/resend",
  summary: "Resend a delivery now",
  kind: "write",
  scope: "webhooks:write",
  notFound: "delivery_not_found",
  answer: z.strictObject({ data: deliverySchema }),
  errors: NOTIFICATIONS_OFF,
});

export const recoverWebhookDeliveries = operation({
  id: "recoverWebhookDeliveries",
  method: "POST",
  path: "/webhook-deliveries/recover",
  summary: "Resend the events since a given time that never arrived",
  kind: "write",
  scope: "webhooks:write",
  body: z.strictObject({
    since: logSafe(moment).refine(
      (at) => at.getTime() <= Date.now() && at.getTime() >= Date.now() - RECOVERABLE_MS,
      SINCE,
    ),
  }),
  answer: z.strictObject({
    data: z.strictObject({
      recovered: logSafe(z.int()),
      complete: logSafe(z.boolean()).describe("False when more remain; call again."),
    }),
  }),
  errors: NOTIFICATIONS_OFF,
});

export const getWebhooks = operation({
  id: "getWebhooks",
  method: "GET",
  path: "/webhooks",
  summary: "Get the notification endpoint and its health",
  kind: "read",
  tagged: true,
  scope: "webhooks:read",
  answer: z.strictObject({ data: endpointSchema }),
});

export const sendTestWebhook = operation({
  id: "sendTestWebhook",
  method: "POST",
  path: "/webhooks/test",
  summary: "Send a test notification",
  kind: "write",
  scope: "webhooks:write",
  answer: z.strictObject({ data: deliverySchema }),
  errors: NOTIFICATIONS_OFF,
});

export const enableWebhooks = operation({
  id: "enableWebhooks",
  method: "POST",
  path: "/webhooks/enable",
  summary: "Turn notifications back on after they were switched off",
  kind: "write",
  scope: "webhooks:write",
  answer: z.strictObject({ data: endpointSchema }),
  errors: ["webhook_url_missing"],
});

export const rotateWebhookSecret = operation({
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/webhooks/rotate-secret",
  summary: "Rotate the signing secret; each previous one also signs for 24 hours",
  kind: "write",
  scope: "webhooks:write",
  fresh: true,
  sealed: true,
  answer: z.strictObject({ data: z.strictObject({ secret: z.string() }) }),
  errors: ["role_insufficient", "signing_secrets_exhausted"],
});

export const revealWebhookSecret = operation({
  id: "revealWebhookSecret",
  method: "POST",
  path: "/webhooks/reveal-secret",
  summary: "Reveal the signing secret; owners only",
  kind: "write",
  scope: "webhooks:write",
  staffOnly: true,
  fresh: true,
  secret: true,
  answer: z.strictObject({ data: z.strictObject({ secret: z.string() }) }),
  errors: ["role_insufficient"],
});
