import { getBulkJob as operation } from "#lib/operations/bulk/get-bulk-job.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toBulkJobResource } from "#lib/bulk/bulk-resource.ts";
import { getBulkJob } from "#lib/bulk/bulk-jobs.ts";

export const GET = serve(operation, {
  read: async (ctx, { id }) => ({ body: { data: toBulkJobResource(await getBulkJob(ctx, id)) } }),
});
