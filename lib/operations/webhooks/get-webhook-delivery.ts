import { z } from "zod";
import { deliveryWithAttemptsSchema } from "#lib/api/contract/delivery.ts";
import { toExample } from "#lib/events/example.ts";
import { webhookTest } from "#lib/events/webhook-test.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { AT, PENDING } from "#lib/operations/webhooks/samples.ts";

const DELIVERED = {
  ...PENDING,
  state: "delivered",
  attempt_count: 1,
  next_attempt_at: null,
  last_attempt_at: AT,
  last_status: 200,
  delivered_at: AT,
};

const ATTEMPT = {
  number: 1,
  url: "https://hooks.northwind.example/floatdeck",
  address: "203.0.113.20",
  started_at: AT,
  duration_ms: 84,
  status: 200,
  failure: null,
  explanation: null,
  detail: null,
  request_headers: { "webhook-id": IDS.delivery, "webhook-timestamp": "1795247800" },
  response_headers: { "content-type": "text/plain" },
  response_body: "ok",
};

export const getWebhookDelivery = operation({
  id: "getWebhookDelivery",
  method: "GET",
  path: "/webhook-deliveries/{id}",
  summary: "Get a delivery with the request and response of each attempt",
  description: "With the latest 100 attempts, each as it was sent and answered.",
  kind: "read",
  tagged: true,
  scope: "webhooks:read",
  notFound: "delivery_not_found",
  answer: z.strictObject({ data: deliveryWithAttemptsSchema }),
  examples: [
    {
      id: IDS.delivery,
      answer: {
        data: {
          ...DELIVERED,
          request_body: JSON.stringify(toExample(webhookTest)),
          attempts: [ATTEMPT],
        },
      },
    },
  ],
});
