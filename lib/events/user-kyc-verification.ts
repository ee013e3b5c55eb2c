import { z } from "zod";
import { IDS } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import { id } from "#lib/api/contract/event-members.ts";
import { say } from "#lib/sentences/say.ts";

export const userKycVerification = event({
  name: "user.kyc-verification",
  order: 1,
  when: "A cardholder was registered, or verified later.",
  data: z.strictObject({
    status: z
      .string()
      .describe("verified, as in every sandbox, or pending until the operator has verified them."),
    user_id: id,
  }),
  example: { data: { status: "verified", user_id: IDS.user } },
  actions: {
    "cardholder.registered": "Cardholder registered",
    "cardholder.verified": "Cardholder verified",
  },
  // A verification has previous values; a registration has none.
  format: ({ who, subject, before }) =>
    Object.keys(before).length === 0
      ? say`${who} registered the cardholder ${subject}`
      : say`${who} verified the cardholder ${subject}`,
  trigger: { needs: "new cardholder", calls: [] },
});
