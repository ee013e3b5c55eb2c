import { cancelApproval as operation } from "#lib/operations/approvals/cancel-approval.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toApprovalResource } from "#lib/approvals/approval-resource.ts";
import { cancel } from "#lib/approvals/decide-approval.ts";

export const POST = serve(operation, {
  change: async (ctx, { id }) => ({ body: { data: toApprovalResource(await cancel(ctx, id)) } }),
});
