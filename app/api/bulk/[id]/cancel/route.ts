import { cancelBulkJob as operation } from "#lib/operations/bulk/cancel-bulk-job.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toBulkJobResource } from "#lib/bulk/bulk-resource.ts";
import { cancelBulkJob } from "#lib/bulk/bulk-jobs.ts";

export const POST = serve(operation, {
  prepare: ({ actor }) => actor,
  change: async (ctx, { id }, caller) => ({
    body: { data: toBulkJobResource(await cancelBulkJob(ctx, id, caller)) },
  }),
});
