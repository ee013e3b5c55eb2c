import { APPROVAL_FACTS } from "#lib/api/contract/approval.ts";
import { event } from "#lib/events/event.ts";
import { APPROVAL_DATA } from "#lib/events/internal/approval.ts";
import { toAskedFor } from "#lib/sentences/asked-for.ts";
import { say } from "#lib/sentences/say.ts";

export const approvalExpired = event({
  name: "approval.expired",
  order: 4,
  when: "Nobody decided a request within seven days. It never takes effect.",
  data: APPROVAL_DATA,
  example: {
    data: { ...APPROVAL_FACTS, status: "expired", decided_at: APPROVAL_FACTS.expires_at },
  },
  actions: { "approval.expired": "Approval expired" },
  format: (formatter) => say`The request to ${toAskedFor(formatter)} expired`,
  trigger: null,
});
