import { restoredAccountSchema } from "#lib/api/contract/account.ts";
import { event } from "#lib/events/event.ts";
import { say } from "#lib/sentences/say.ts";

export const accountRestored = event({
  name: "account.restored",
  order: 1,
  when: "The operator restored the account from a backup: reconcile from `restored_to` on.",
  data: restoredAccountSchema,
  example: { data: { restored_to: "2026-11-24T08:59:00.000Z" } },
  format: (formatter) =>
    say`${formatter.who} restored ${formatter.subject} from a backup of ${formatter.text("restored_to")}`,
  trigger: null,
});
