import { z } from "zod";
import { deliverySchema } from "#lib/api/contract/delivery.ts";
import { operation } from "#lib/operations/operation.ts";
import { endpointId, NOTIFICATIONS_OFF } from "#lib/operations/webhooks/parts.ts";
import { PENDING } from "#lib/operations/webhooks/samples.ts";

export const sendTestWebhook = operation({
  id: "sendTestWebhook",
  method: "POST",
  path: "/webhooks/test",
  summary: "Send a test notification",
  description: "Sends a webhook.test event to the endpoint.",
  attempt: "send a test webhook",
  kind: "write",
  scope: "webhooks:write",
  body: z.strictObject({ endpoint_id: endpointId }),
  answer: z.strictObject({ data: deliverySchema }),
  errors: ["endpoint_not_found", ...NOTIFICATIONS_OFF],
  examples: [{ answer: { data: PENDING } }],
});
