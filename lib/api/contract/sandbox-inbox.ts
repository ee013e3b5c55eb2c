import { z } from "zod";
import { cursor, limit } from "#lib/api/contract/fields.ts";
import { oneOrMore } from "#lib/api/contract/filters.ts";
import { operation } from "#lib/api/contract/operation.ts";
import { pageOf } from "#lib/api/contract/resources.ts";
import { inboxNotificationSchema } from "#lib/api/contract/webhook-resources.ts";
import { EVENT_NAMES } from "#lib/record/event-catalog.ts";

export const createInbox = operation({
  id: "createInbox",
  method: "POST",
  path: "/sandbox/inbox",
  summary: "Create the test inbox, or get it if there is one; sandbox only",
  kind: "write",
  scope: "webhooks:write",
  sandboxOnly: true,
  answer: z.strictObject({ data: z.strictObject({ url: z.string() }) }),
});

export const listInbox = operation({
  id: "listInbox",
  method: "GET",
  path: "/sandbox/inbox",
  summary: "List what the test inbox received, newest first; sandbox only",
  kind: "read",
  scope: "webhooks:read",
  sandboxOnly: true,
  query: z.strictObject({
    event: oneOrMore(EVENT_NAMES).optional(),
    limit,
    cursor: cursor.optional(),
  }),
  answer: pageOf(inboxNotificationSchema).extend({
    url: z.string().nullable().describe("Null before an inbox is created."),
  }),
});
