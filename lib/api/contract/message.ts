import { z } from "zod";
import { id, time } from "#lib/api/contract/internal/answer-members.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { MESSAGE_STATES } from "#lib/messages/message-states.ts";

const said = z.string().nullable();

export const messageSchema = z
  .strictObject({
    id,
    kind: logSafe(z.string()).describe("What it is about, such as `staff.invited`."),
    to: z.string().describe("The address that it is for."),
    state: logSafe(z.enum(Object.keys(MESSAGE_STATES))).describe(
      "`waiting` for the mail server, `sent` when it took the message, `failed` when it did not, `kept` when there is none, or `withdrawn` when the message no longer applied.",
    ),
    failure: said.describe("Why the last attempt failed; null if it did not."),
    subject: said.describe("Its subject; null unless a sandbox without a mail server keeps it."),
    text: said.describe("What it says as plain text; null when `subject` is."),
    html: said.describe("What it says as HTML; null when `subject` is."),
    link: said.describe("Where its button leads; null when `subject` is."),
    created_at: time,
    sent_at: time.nullable().describe("When the mail server took it; null if it has not."),
  })
  .meta({ id: "Message" });
