import { z } from "zod";
import { cursor, idSchema, limit } from "#lib/api/contract/fields.ts";
import { oneOrMore, periodFilter } from "#lib/api/contract/filters.ts";
import { pageOf } from "#lib/api/contract/page.ts";
import { deliverySchema } from "#lib/api/contract/delivery.ts";
import { operation } from "#lib/operations/operation.ts";
import { endpointId } from "#lib/operations/webhooks/parts.ts";
import { PENDING } from "#lib/operations/webhooks/samples.ts";
import { EVENT_NAMES } from "#lib/record/event-catalog.ts";
import { DELIVERY_STATES } from "#lib/webhooks/delivery-states.ts";

export const listWebhookDeliveries = operation({
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/webhook-deliveries",
  summary: "List notification deliveries, newest first",
  description:
    "Whether each event has arrived at an endpoint. from and to are about when the event was created.",
  kind: "read",
  scope: "webhooks:read",
  query: z.strictObject({
    endpoint_id: endpointId,
    state: oneOrMore(DELIVERY_STATES)
      .optional()
      .describe("Only deliveries in one of these states."),
    event: oneOrMore(EVENT_NAMES).optional().describe("Only deliveries of these events."),
    card_id: idSchema.optional().describe("Only deliveries of events about this card."),
    ...periodFilter,
    limit,
    cursor: cursor.optional(),
  }),
  answer: pageOf(deliverySchema),
  examples: [
    {
      query: { state: "pending,delivered", limit: "15" },
      answer: { data: [PENDING], next_cursor: null },
    },
  ],
});
