import { z } from "zod";
import { endpointSchema } from "#lib/api/contract/endpoint.ts";
import { operation } from "#lib/operations/operation.ts";
import { ENDPOINT, FURTHER_ENDPOINT } from "#lib/operations/webhooks/samples.ts";
import { ENDPOINTS_MAX } from "#db/schema/endpoints-max.ts";

export const listWebhookEndpoints = operation({
  id: "listWebhookEndpoints",
  method: "GET",
  path: "/webhook-endpoints",
  summary: "List the webhook endpoints",
  description: `At most ${ENDPOINTS_MAX}. The first is the account's webhook_url, which gets every event; the others follow in the order of their creation.`,
  kind: "read",
  scope: "webhooks:read",
  answer: z.strictObject({ data: z.array(endpointSchema) }),
  examples: [{ answer: { data: [ENDPOINT, FURTHER_ENDPOINT] } }],
});
