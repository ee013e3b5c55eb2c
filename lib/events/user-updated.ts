import { z } from "zod";
import { IDS } from "#lib/api/contract/samples.ts";
import { event } from "#lib/events/event.ts";
import { id } from "#lib/api/contract/event-members.ts";
import { say } from "#lib/sentences/say.ts";

export const userUpdated = event({
  name: "user.updated",
  order: 2,
  when: "A cardholder's details changed.",
  data: z.strictObject({
    changed: z.array(z.string()).describe("The names of the changed members."),
    user_id: id,
  }),
  example: { data: { changed: ["email"], user_id: IDS.user } },
  actions: { "cardholder.updated": "Cardholder updated" },
  format: ({ who, subject }) => say`${who} updated the cardholder ${subject}`,
  trigger: {
    needs: "new cardholder",
    calls: [["users.update", "$user", { first_name: "Ada" }]],
  },
});
