import { z } from "zod";
import { IDS } from "#lib/api/contract/samples.ts";
import { endpointSchema } from "#lib/api/contract/endpoint.ts";
import { operation } from "#lib/operations/operation.ts";
import { FURTHER_ENDPOINT } from "#lib/operations/webhooks/samples.ts";

export const deleteWebhookEndpoint = operation({
  id: "deleteWebhookEndpoint",
  method: "DELETE",
  path: "/webhook-endpoints/{id}",
  summary: "Delete a webhook endpoint with its deliveries",
  description:
    "Final: what is pending is not sent. The account's own webhook_url is removed with PATCH /card-integrators/update and null.",
  attempt: "delete a webhook endpoint",
  kind: "write",
  scope: "webhooks:write",
  notFound: "endpoint_not_found",
  answer: z.strictObject({ data: endpointSchema }),
  errors: ["endpoint_is_first"],
  examples: [{ id: IDS.endpoint, answer: { data: FURTHER_ENDPOINT } }],
});
