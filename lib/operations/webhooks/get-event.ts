import { z } from "zod";
import { eventSchema } from "#lib/api/contract/event.ts";
import { toExample } from "#lib/events/example.ts";
import { webhookTest } from "#lib/events/webhook-test.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";

export const getEvent = operation({
  id: "getEvent",
  method: "GET",
  path: "/events/{id}",
  summary: "Get an event",
  description: "As its notification sent it.",
  kind: "read",
  tagged: true,
  scope: "webhooks:read",
  notFound: "event_not_found",
  answer: z.strictObject({ data: eventSchema }),
  examples: [{ id: IDS.delivery, answer: { data: toExample(webhookTest) } }],
});
