import { z } from "zod";
import { cursor, limit } from "#lib/api/contract/fields.ts";
import { oneOrMore } from "#lib/api/contract/filters.ts";
import { pageOf } from "#lib/api/contract/page.ts";
import { inboxNotificationSchema } from "#lib/api/contract/inbox-notification.ts";
import { toExample } from "#lib/events/example.ts";
import { webhookTest } from "#lib/events/webhook-test.ts";
import { operation } from "#lib/operations/operation.ts";
import { IDS } from "#lib/api/contract/samples.ts";
import { INBOX_URL } from "#lib/operations/webhooks/samples.ts";
import { EVENT_NAMES } from "#lib/record/event-catalog.ts";

const NOTIFICATION = {
  id: "01a1fd1b-7e9a-7000-9d41-6b0f2c3d4e5f",
  received_at: "2026-11-21T07:56:40.212Z",
  event: "webhook.test",
  delivery_id: IDS.delivery,
  verified: true,
  secret: "current",
  failure: null,
  explanation: null,
  headers: {
    "content-type": "application/json",
    "user-agent": "Floatdeck-Webhooks/1.0",
    "webhook-id": IDS.delivery,
    "webhook-timestamp": "1795247800",
    "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
  },
  body: JSON.stringify(toExample(webhookTest)),
};

export const listInbox = operation({
  id: "listInbox",
  method: "GET",
  path: "/sandbox/inbox",
  summary: "List what the test inbox received, newest first; sandbox only",
  description:
    "The last 100 notifications of a day, each with the verdict on its signature at that moment. The body is as it arrived; U+FFFD replaces what is not UTF-8.",
  kind: "read",
  scope: "webhooks:read",
  sandboxOnly: true,
  query: z.strictObject({
    event: oneOrMore(EVENT_NAMES).optional().describe("Only notifications of these events."),
    limit,
    cursor: cursor.optional(),
  }),
  answer: pageOf(inboxNotificationSchema).extend({
    url: z.string().nullable().describe("The address of the inbox; null before one is created."),
  }),
  examples: [
    {
      needs: "notification in the inbox",
      query: { event: "webhook.test", limit: "15" },
      answer: { url: INBOX_URL, data: [NOTIFICATION], next_cursor: null },
    },
  ],
});
