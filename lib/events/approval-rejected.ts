import { toDecided } from "#lib/api/contract/approval.ts";
import { event } from "#lib/events/event.ts";
import { APPROVAL_DATA } from "#lib/events/internal/approval.ts";
import { toAskedFor } from "#lib/sentences/asked-for.ts";
import { say } from "#lib/sentences/say.ts";

export const approvalRejected = event({
  name: "approval.rejected",
  order: 3,
  when: "A request was rejected. It never takes effect.",
  data: APPROVAL_DATA,
  example: { data: toDecided("rejected") },
  actions: { "approval.rejected": "Request rejected" },
  format: (formatter) => say`${formatter.who} rejected the request to ${toAskedFor(formatter)}`,
  trigger: null,
});
