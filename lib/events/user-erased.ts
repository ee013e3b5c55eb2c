import { IDS } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import { AFFECTED_USER } from "#lib/events/internal/user.ts";
import { say } from "#lib/sentences/say.ts";

export const userErased = event({
  name: "user.erased",
  order: 5,
  when: "A cardholder is being erased: no request stores or changes their personal data any more.",
  data: AFFECTED_USER,
  example: { data: { user_id: IDS.user } },
  actions: { "cardholder.erased": "Cardholder erased" },
  format: ({ who, subject }) => say`${who} erased the cardholder ${subject}`,
  trigger: { needs: "new cardholder", calls: [["users.erase", "$user"]] },
});
