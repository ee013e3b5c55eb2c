import { z } from "zod";
import { operation } from "#lib/operations/operation.ts";
import { endpointId, recoverableSince } from "#lib/operations/webhooks/parts.ts";

export const getMissedWebhookDeliveries = operation({
  id: "getMissedWebhookDeliveries",
  method: "GET",
  path: "/webhook-deliveries/missed",
  summary: "Get what a recovery would resend: how many events since a given time never arrived",
  description:
    "Counts what POST /webhook-deliveries/recover would resend now with the same since; without since, all of the last 30 days. Nothing is sent.",
  kind: "read",
  scope: "webhooks:read",
  query: z.strictObject({ since: recoverableSince.optional(), endpoint_id: endpointId }),
  answer: z.strictObject({
    data: z.strictObject({
      count: z.int().describe("How many events are not sent again by themselves, at most 10,000."),
      waiting: z
        .int()
        .describe("How many more have failed and wait for their next attempt, which would be now."),
      complete: z.boolean().describe("Whether that is all: false if more would remain."),
      by_event: z
        .array(
          z.strictObject({
            event: z.string(),
            count: z.int().describe("How many of them have this name."),
          }),
        )
        .describe("The same by the name of the event, the most frequent first."),
      oldest_at: z.iso
        .datetime()
        .nullable()
        .describe("When the oldest of them was created; null if there is none."),
      newest_at: z.iso
        .datetime()
        .nullable()
        .describe("When the newest of them was created; null if there is none."),
    }),
  }),
  examples: [
    {
      answer: {
        data: {
          count: 3,
          waiting: 1,
          complete: true,
          by_event: [
            { event: "card.credited", count: 2 },
            { event: "card.frozen", count: 1 },
          ],
          oldest_at: "2026-11-21T07:56:22.186Z",
          newest_at: "2026-11-21T07:56:40.105Z",
        },
      },
    },
  ],
});
