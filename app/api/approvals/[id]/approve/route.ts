import { approveApproval as operation } from "#lib/operations/approvals/approve-approval.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { performApproved } from "#lib/api/edge/perform-approved.ts";
import { toApprovalResource } from "#lib/approvals/approval-resource.ts";
import { approve } from "#lib/approvals/decide-approval.ts";
import { forgetCredentials } from "#lib/auth/authenticate.ts";
import { beginBulkJob } from "#lib/bulk/bulk-runner.ts";

export const POST = serve(operation, {
  change: async (ctx, { id }) => ({
    body: { data: toApprovalResource(await approve(ctx, id, performApproved)) },
  }),
  // The approved request may be a job, or change what a key may do.
  follow: beginBulkJob,
  settled: forgetCredentials,
});
