import { z } from "zod";
import { IDS } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import { id } from "#lib/api/contract/event-members.ts";
import { say } from "#lib/sentences/say.ts";

export const userKycVerification = event({
  name: "user.kyc-verification",
  order: 1,
  when: "A cardholder was registered.",
  data: z.strictObject({
    status: z.string().describe("verified, as in every sandbox, or pending."),
    user_id: id,
  }),
  example: { data: { status: "verified", user_id: IDS.user } },
  actions: { "cardholder.registered": "Cardholder registered" },
  format: ({ who, subject }) => say`${who} registered the cardholder ${subject}`,
  trigger: { needs: "new cardholder", calls: [] },
});
