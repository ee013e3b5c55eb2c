import { z } from "zod";
import { cursor, email, limit } from "#lib/api/contract/fields.ts";
import { messageSchema } from "#lib/api/contract/message.ts";
import { pageOf } from "#lib/api/contract/page.ts";
import { operation } from "#lib/operations/operation.ts";
import { AT, URL } from "#lib/operations/staff/samples.ts";

const TEXT = `Ada Winter invites you to the staff of Northwind as a viewer.\n\nAccept the invitation:\n${URL}`;

export const listMessages = operation({
  id: "listMessages",
  method: "GET",
  path: "/staff/messages",
  summary: "List the messages to people, newest first",
  description:
    "The mail of the last 30 days: owners see all of it, everybody else their own. A sandbox without mail server shows the texts.",
  kind: "read",
  scope: null,
  staffOnly: true,
  secret: true,
  query: z.strictObject({
    to: email.optional().describe("Only messages to this address."),
    limit,
    cursor: cursor.optional(),
  }),
  answer: pageOf(messageSchema),
  examples: [
    {
      needs: "invitation",
      answer: {
        data: [
          {
            id: "01a1fd1b-6100-7001-8b2a-4d5e6f7a8b9c",
            kind: "staff.invited",
            to: "noor@northwind.example",
            state: "kept",
            failure: null,
            subject: "Join Northwind on Floatdeck",
            text: TEXT,
            html: "<!doctype html>…",
            link: URL,
            created_at: AT,
            sent_at: null,
          },
        ],
        next_cursor: null,
      },
    },
  ],
});
