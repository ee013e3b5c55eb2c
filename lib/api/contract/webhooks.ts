import { z } from "zod";
import { cursor, limit, moment, text } from "#lib/api/contract/fields.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { pageOf } from "#lib/api/contract/resources.ts";
import {
  deliverySchema,
  deliveryWithAttemptsSchema,
  endpointSchema,
  eventSchema,
} from "#lib/api/contract/webhook-resources.ts";
import { DELIVERY_STATES } from "#lib/webhooks/delivery-states.ts";
import { idSchema } from "#lib/base/id-schema.ts";

const RECOVERABLE_MS = 30 * 24 * 3_600_000;
const SINCE = "This field must be a time within the last 30 days.";

const NOT_ON = ["webhook_url_missing", "notifications_switched_off"] as const;

export const listEvents = operation({
  id: "listEvents",
  method: "GET",
  path: "/events",
  summary: "List events, oldest first. next_cursor is there at the end too, to go on from later",
  kind: "read",
  scope: "webhooks:read",
  query: z.strictObject({
    event: text().optional(),
    card_id: idSchema.optional(),
    limit,
    after: cursor.optional(),
  }),
  answer: pageOf(eventSchema),
});

export const listWebhookDeliveries = operation({
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/webhook-deliveries",
  summary: "List deliveries of notifications, newest first",
  kind: "read",
  scope: "webhooks:read",
  query: z.strictObject({
    state: z.enum(DELIVERY_STATES).optional(),
    event: text().optional(),
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
  summary: "Show a delivery with what was sent and what came back, try by try",
  kind: "read",
  scope: "webhooks:read",
  notFound: "delivery_not_found",
  answer: z.strictObject({ data: deliveryWithAttemptsSchema }),
});

export const resendWebhookDelivery = operation({
  id: "resendWebhookDelivery",
  method: "POST",
  path: "/webhook-deliveries/{id}/resend",
  summary: "Send a delivery again, now",
  kind: "write",
  scope: "webhooks:write",
  notFound: "delivery_not_found",
  answer: z.strictObject({ data: deliverySchema }),
  errors: NOT_ON,
});

export const recoverWebhookDeliveries = operation({
  id: "recoverWebhookDeliveries",
  method: "POST",
  path: "/webhook-deliveries/recover",
  summary: "Send again what has happened since a time and never arrived",
  kind: "write",
  scope: "webhooks:write",
  body: z.strictObject({
    since: moment.refine(
      (at) => at.getTime() <= Date.now() && at.getTime() >= Date.now() - RECOVERABLE_MS,
      SINCE,
    ),
  }),
  answer: z.strictObject({
    data: z.strictObject({
      recovered: z.int(),
      complete: z.boolean().describe("False: there is more; ask again."),
    }),
  }),
  errors: NOT_ON,
});

export const getWebhooks = operation({
  id: "getWebhooks",
  method: "GET",
  path: "/webhooks",
  summary: "Show where notifications go and how that place is doing",
  kind: "read",
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
  errors: NOT_ON,
});

export const enableWebhooks = operation({
  id: "enableWebhooks",
  method: "POST",
  path: "/webhooks/enable",
  summary: "Switch notifications on again after they were switched off",
  kind: "write",
  scope: "webhooks:write",
  answer: z.strictObject({ data: endpointSchema }),
  errors: ["webhook_url_missing"],
});

export const rotateWebhookSecret = operation({
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/webhooks/rotate-secret",
  summary: "Make a new signing secret; the one before signs too for 24 hours",
  kind: "write",
  scope: "webhooks:write",
  sealed: true,
  answer: z.strictObject({ data: z.strictObject({ secret: z.string() }) }),
});

export const revealWebhookSecret = operation({
  id: "revealWebhookSecret",
  method: "POST",
  path: "/webhooks/reveal-secret",
  summary: "Show the signing secret to an owner",
  kind: "write",
  scope: "webhooks:write",
  staffOnly: true,
  fresh: true,
  secret: true,
  answer: z.strictObject({ data: z.strictObject({ secret: z.string() }) }),
  errors: ["role_insufficient"],
});
