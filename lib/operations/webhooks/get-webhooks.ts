import { z } from "zod";
import { endpointSchema } from "#lib/api/contract/endpoint.ts";
import { operation } from "#lib/operations/operation.ts";
import { ENDPOINT } from "#lib/operations/webhooks/samples.ts";

export const getWebhooks = operation({
  id: "getWebhooks",
  method: "GET",
  path: "/webhooks",
  summary: "Get the endpoint of the account's webhook_url, and its health",
  description: "Whether events are sent, and how the endpoint has answered lately.",
  kind: "read",
  tagged: true,
  scope: "webhooks:read",
  answer: z.strictObject({ data: endpointSchema }),
  examples: [{ answer: { data: ENDPOINT } }],
});
