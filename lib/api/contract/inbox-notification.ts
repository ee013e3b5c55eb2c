import { z } from "zod";
import { eventName, headers, id, time } from "#lib/api/contract/internal/answer-members.ts";
import { logSafe } from "#lib/base/log-safe.ts";
import { SIGNATURE_FAULTS } from "#lib/webhooks/signature-faults.ts";

export const inboxNotificationSchema = z
  .strictObject({
    id,
    received_at: time.describe("When it arrived."),
    event: eventName.nullable().describe("The event that the body names; null if it names none."),
    delivery_id: id
      .nullable()
      .describe("The delivery that webhook-id names; null if it names none of this account."),
    verified: logSafe(z.boolean()).describe("Whether the signature was valid on arrival."),
    secret: logSafe(z.enum(["current", "previous"]))
      .nullable()
      .describe("Which of your secrets signed it; null if none did."),
    failure: logSafe(z.enum(Object.keys(SIGNATURE_FAULTS)))
      .nullable()
      .describe("Why the signature is not verified; null if it is."),
    explanation: z.string().nullable(),
    headers: headers.describe(
      "The headers that matter: the content type, the user agent, and those of the webhook.",
    ),
    body: z.string().describe("The body as it arrived; U+FFFD replaces what is not UTF-8."),
  })
  .meta({ id: "InboxNotification" });
