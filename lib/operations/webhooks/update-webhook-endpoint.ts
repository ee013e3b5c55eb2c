import { z } from "zod";
import { requireOne } from "#lib/api/contract/fields.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { endpointFormat, endpointSchema } from "#lib/api/contract/endpoint.ts";
import { webhookHeadersPatch } from "#lib/base/webhook-headers.ts";
import { operation } from "#lib/operations/operation.ts";
import { FURTHER_ENDPOINT_MEMBERS } from "#lib/operations/webhooks/parts.ts";
import { FURTHER_ENDPOINT } from "#lib/operations/webhooks/samples.ts";

export const updateWebhookEndpoint = operation({
  id: "updateWebhookEndpoint",
  method: "PATCH",
  path: "/webhook-endpoints/{id}",
  summary: "Change a webhook endpoint",
  description:
    "Send any of the members; the others keep their values. What is pending goes to a new webhook_url, and a webhook.test follows it. A webhook_url on another host or port, or with http after https, drops the headers that are not sent again. The account's own webhook_url changes with PATCH /card-integrators/update.",
  attempt: "change a webhook endpoint",
  kind: "write",
  scope: "webhooks:write",
  notFound: "endpoint_not_found",
  body: z
    .strictObject({
      ...FURTHER_ENDPOINT_MEMBERS,
      format: endpointFormat.describe("event, or chat."),
      headers: webhookHeadersPatch.describe(
        "The headers to set, by name; null removes one. Those that are not named stay.",
      ),
    })
    .partial()
    .check((context) =>
      requireOne(context.value, ["webhook_url", "events", "format", "headers"], context),
    )
    .meta({ minProperties: 1 }),
  answer: z.strictObject({
    data: endpointSchema,
    dropped_headers: z
      .array(z.string())
      .describe("The names of the headers that a new webhook_url left behind."),
  }),
  errors: ["endpoint_is_first"],
  examples: [
    {
      id: IDS.endpoint,
      body: { events: ["card.frozen"], headers: { Authorization: null } },
      answer: {
        data: { ...FURTHER_ENDPOINT, events: ["card.frozen"], headers: {} },
        dropped_headers: [],
      },
    },
  ],
});
