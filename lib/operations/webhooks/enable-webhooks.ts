import { z } from "zod";
import { endpointSchema } from "#lib/api/contract/endpoint.ts";
import { operation } from "#lib/operations/operation.ts";
import { endpointId } from "#lib/operations/webhooks/parts.ts";
import { ENDPOINT } from "#lib/operations/webhooks/samples.ts";

export const enableWebhooks = operation({
  id: "enableWebhooks",
  method: "POST",
  path: "/webhooks/enable",
  summary: "Turn notifications back on after they were switched off",
  description: "After the endpoint failed for too long, or answered 410.",
  attempt: "enable webhooks",
  kind: "write",
  scope: "webhooks:write",
  body: z.strictObject({ endpoint_id: endpointId }),
  answer: z.strictObject({ data: endpointSchema }),
  errors: ["endpoint_not_found", "webhook_url_missing"],
  examples: [{ answer: { data: ENDPOINT } }],
});
