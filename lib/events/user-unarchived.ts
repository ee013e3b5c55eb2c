import { IDS } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import { AFFECTED_USER } from "#lib/events/internal/user.ts";
import { say } from "#lib/sentences/say.ts";

export const userUnarchived = event({
  name: "user.unarchived",
  order: 4,
  when: "A cardholder can get cards again.",
  data: AFFECTED_USER,
  example: { data: { user_id: IDS.user } },
  actions: { "cardholder.unarchived": "Cardholder unarchived" },
  format: ({ who, subject }) => say`${who} unarchived the cardholder ${subject}`,
  trigger: {
    needs: "new cardholder",
    calls: [
      ["users.archive", "$user"],
      ["users.unarchive", "$user"],
    ],
  },
});
