import { z } from "zod";
import { operation } from "#lib/operations/operation.ts";
import { INBOX_URL } from "#lib/operations/webhooks/samples.ts";

export const createInbox = operation({
  id: "createInbox",
  method: "POST",
  path: "/sandbox/inbox",
  summary: "Create the test inbox, or get it if there is one; sandbox only",
  description:
    "Set webhook_url to the address, and the inbox receives your webhooks. Anyone who knows the address can send to it.",
  attempt: "create a test inbox",
  kind: "write",
  scope: "webhooks:write",
  sandboxOnly: true,
  answer: z.strictObject({
    data: z.strictObject({ url: z.string().describe("The address to which anyone can send.") }),
  }),
  examples: [{ answer: { data: { url: INBOX_URL } } }],
});
