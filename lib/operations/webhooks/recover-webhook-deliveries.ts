import { z } from "zod";
import { logSafe } from "#lib/base/log-safe.ts";
import { operation } from "#lib/operations/operation.ts";
import { endpointId, NOTIFICATIONS_OFF, recoverableSince } from "#lib/operations/webhooks/parts.ts";

export const recoverWebhookDeliveries = operation({
  id: "recoverWebhookDeliveries",
  method: "POST",
  path: "/webhook-deliveries/recover",
  summary: "Resend the events since a given time that never arrived",
  description:
    "After an outage of your endpoint: at most 10,000 at once, oldest first. GET /webhook-deliveries/missed shows beforehand what this sends.",
  attempt: "resend missed webhooks",
  kind: "write",
  scope: "webhooks:write",
  body: z.strictObject({
    since: logSafe(recoverableSince),
    endpoint_id: endpointId,
  }),
  answer: z.strictObject({
    data: z.strictObject({
      recovered: logSafe(z.int()).describe("How many events are resent."),
      complete: logSafe(z.boolean()).describe("Whether these are all. If not, call again."),
    }),
  }),
  errors: ["endpoint_not_found", ...NOTIFICATIONS_OFF],
  examples: [
    {
      body: { since: "2026-11-20T00:00:00Z" },
      answer: { data: { recovered: 3, complete: true } },
    },
  ],
});
