import { z } from "zod";
import { deliverySchema } from "#lib/api/contract/delivery.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { NOTIFICATIONS_OFF } from "#lib/operations/webhooks/parts.ts";
import { PENDING } from "#lib/operations/webhooks/samples.ts";

export const resendWebhookDelivery = operation({
  id: "resendWebhookDelivery",
  method: "POST",
  path: "/webhook-deliveries/{id}/resend",
  summary: "Resend a delivery now",
  description: "Whether or not it has arrived before. Its retries start anew.",
  attempt: "resend a webhook",
  kind: "write",
  scope: "webhooks:write",
  notFound: "delivery_not_found",
  answer: z.strictObject({ data: deliverySchema }),
  errors: NOTIFICATIONS_OFF,
  examples: [{ id: IDS.delivery, answer: { data: PENDING } }],
});
