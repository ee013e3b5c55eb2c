import { z } from "zod";
import { moment } from "#lib/api/contract/fields.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { operation } from "#lib/operations/operation.ts";
import { NOTIFICATIONS_OFF } from "#lib/operations/webhooks/parts.ts";

const RECOVERABLE_MS = 30 * 24 * 3_600_000;

const SINCE = "This field must be a time within the last 30 days.";

export const recoverWebhookDeliveries = operation({
  id: "recoverWebhookDeliveries",
  method: "POST",
  path: "/webhook-deliveries/recover",
  summary: "Resend the events since a given time that never arrived",
  description: "After an outage of your endpoint: at most 10,000 at once, oldest first.",
  attempt: "resend missed webhooks",
  kind: "write",
  scope: "webhooks:write",
  body: z.strictObject({
    since: logSafe(moment)
      .refine(
        (at) => at.getTime() <= Date.now() && at.getTime() >= Date.now() - RECOVERABLE_MS,
        SINCE,
      )
      .describe("From when on events are resent: within the last 30 days."),
  }),
  answer: z.strictObject({
    data: z.strictObject({
      recovered: logSafe(z.int()).describe("How many events are resent."),
      complete: logSafe(z.boolean()).describe("Whether these are all. If not, call again."),
    }),
  }),
  errors: NOTIFICATIONS_OFF,
  examples: [
    {
      body: { since: "2026-11-20T00:00:00Z" },
      answer: { data: { recovered: 3, complete: true } },
    },
  ],
});
