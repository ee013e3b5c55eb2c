import { IDS } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import { AFFECTED_USER } from "#lib/events/internal/user.ts";
import { say } from "#lib/sentences/say.ts";

export const userArchived = event({
  name: "user.archived",
  order: 3,
  when: "A cardholder was archived and can get no new cards.",
  data: AFFECTED_USER,
  example: { data: { user_id: IDS.user } },
  actions: { "cardholder.archived": "Cardholder archived" },
  format: ({ who, subject }) => say`${who} archived the cardholder ${subject}`,
  trigger: { needs: "new cardholder", calls: [["users.archive", "$user"]] },
});
