import { APPROVAL_FACTS } from "#lib/api/contract/approval.ts";
import { event } from "#lib/events/event.ts";
import { APPROVAL_DATA } from "#lib/events/internal/approval.ts";
import { toAskedFor } from "#lib/sentences/asked-for.ts";
import { say } from "#lib/sentences/say.ts";

export const approvalRequested = event({
  name: "approval.requested",
  order: 1,
  when: "Somebody else must approve a request.",
  data: APPROVAL_DATA,
  example: { data: APPROVAL_FACTS },
  actions: { "approval.requested": "Approval requested" },
  format: (formatter) => say`${formatter.who} asked for approval to ${toAskedFor(formatter)}`,
  trigger: null,
});
