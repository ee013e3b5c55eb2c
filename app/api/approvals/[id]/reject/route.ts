import { rejectApproval as operation } from "#lib/operations/approvals/reject-approval.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toApprovalResource } from "#lib/approvals/approval-resource.ts";
import { reject } from "#lib/approvals/decide-approval.ts";

export const POST = serve(operation, {
  change: async (ctx, { id, body }) => ({
    body: { data: toApprovalResource(await reject(ctx, id, body.comment)) },
  }),
});
