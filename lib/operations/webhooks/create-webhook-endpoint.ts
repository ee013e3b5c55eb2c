import { z } from "zod";
import { endpointFormat, endpointSchema } from "#lib/api/contract/endpoint.ts";
import { webhookHeaders } from "#lib/base/webhook-headers.ts";
import { operation } from "#lib/operations/operation.ts";
import { FURTHER_ENDPOINT_MEMBERS } from "#lib/operations/webhooks/parts.ts";
import { FURTHER_ENDPOINT, SECRET } from "#lib/operations/webhooks/samples.ts";
import { ENDPOINTS_MAX } from "#db/schema/endpoints-max.ts";

export const createWebhookEndpoint = operation({
  id: "createWebhookEndpoint",
  method: "POST",
  path: "/webhook-endpoints",
  summary: "Create a webhook endpoint beside the account's webhook_url",
  description: `It gets the events that it names, from now on, signed with a secret of its own, which is shown here. An account may have ${ENDPOINTS_MAX} endpoints, its webhook_url included. A repeat shows it to the same caller and to owners only.`,
  attempt: "create a webhook endpoint",
  kind: "write",
  scope: "webhooks:write",
  sealed: true,
  body: z.strictObject({
    ...FURTHER_ENDPOINT_MEMBERS,
    format: endpointFormat
      .default("event")
      .describe("chat for the address of a chat's incoming webhook."),
    headers: webhookHeaders
      .default({})
      .describe(
        "What each request also sends, by name, such as a credential of yours; stored encrypted. Headers that frame the request, Host, webhook-…, and those that the server sends itself cannot be set.",
      ),
  }),
  status: 201,
  answer: z.strictObject({
    data: endpointSchema,
    secret: z
      .string()
      .describe("The secret that signs for this endpoint, such as whsec_…, for your verifier."),
  }),
  errors: ["endpoints_exhausted", "role_insufficient"],
  examples: [
    {
      body: {
        webhook_url: FURTHER_ENDPOINT.webhook_url,
        events: FURTHER_ENDPOINT.events,
        headers: { Authorization: "Bearer 5ab1e" },
      },
      answer: { data: FURTHER_ENDPOINT, secret: SECRET },
    },
  ],
});
