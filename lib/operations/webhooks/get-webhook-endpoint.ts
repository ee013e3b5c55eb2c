import { z } from "zod";
import { IDS } from "#lib/api/contract/samples.ts";
import { endpointSchema } from "#lib/api/contract/endpoint.ts";
import { operation } from "#lib/operations/operation.ts";
import { FURTHER_ENDPOINT } from "#lib/operations/webhooks/samples.ts";

export const getWebhookEndpoint = operation({
  id: "getWebhookEndpoint",
  method: "GET",
  path: "/webhook-endpoints/{id}",
  summary: "Get a webhook endpoint and its health",
  description: "Whether events are sent, and how the endpoint has answered lately.",
  kind: "read",
  tagged: true,
  scope: "webhooks:read",
  notFound: "endpoint_not_found",
  answer: z.strictObject({ data: endpointSchema }),
  examples: [{ id: IDS.endpoint, answer: { data: FURTHER_ENDPOINT } }],
});
