import { toDecided } from "#lib/api/contract/approval.ts";
import { event } from "#lib/events/event.ts";
import { APPROVAL_DATA } from "#lib/events/internal/approval.ts";
import { toAskedFor } from "#lib/sentences/asked-for.ts";
import { say } from "#lib/sentences/say.ts";

export const approvalApproved = event({
  name: "approval.approved",
  order: 2,
  when: "A request was approved, and has taken effect.",
  data: APPROVAL_DATA,
  example: { data: toDecided("approved") },
  actions: { "approval.approved": "Request approved" },
  format: (formatter) => say`${formatter.who} approved the request to ${toAskedFor(formatter)}`,
  trigger: null,
});
