import { getApproval as operation } from "#lib/operations/approvals/get-approval.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toApprovalResource } from "#lib/approvals/approval-resource.ts";
import { getApproval } from "#lib/approvals/approvals.ts";

export const GET = serve(operation, {
  read: async (ctx, { id }) => ({ body: { data: toApprovalResource(await getApproval(ctx, id)) } }),
});
