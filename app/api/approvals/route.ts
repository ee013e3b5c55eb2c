import { listApprovals as operation } from "#lib/operations/approvals/list-approvals.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toApprovalResource } from "#lib/approvals/approval-resource.ts";
import { listApprovals } from "#lib/approvals/approvals.ts";

export const GET = serve(operation, {
  read: async (ctx, { query: { status: statuses, requester_id: requesterId, ...page } }) => {
    const { rows, nextCursor } = await listApprovals(ctx, { statuses, requesterId, ...page });
    return { body: { data: rows.map(toApprovalResource), next_cursor: nextCursor } };
  },
});
