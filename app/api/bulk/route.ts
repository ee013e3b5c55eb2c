import { createBulkJob as createOperation } from "#lib/operations/bulk/create-bulk-job.ts";
import { listBulkJobs as listOperation } from "#lib/operations/bulk/list-bulk-jobs.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toBulkJobResource } from "#lib/bulk/bulk-resource.ts";
import { toBulkRequest } from "#lib/api/wire/bulk-request.ts";
import { beginBulkJob } from "#lib/bulk/bulk-runner.ts";
import { requireSomeBulkScope } from "#lib/bulk/bulk-rights.ts";
import { createBulkJob, listBulkJobs } from "#lib/bulk/bulk-jobs.ts";

export const GET = serve(listOperation, {
  read: async (ctx, { query }) => {
    const { rows, nextCursor } = await listBulkJobs(ctx, query);
    return { body: { data: rows.map(toBulkJobResource), next_cursor: nextCursor } };
  },
});

export const POST = serve(createOperation, {
  require: requireSomeBulkScope,
  prepare: ({ actor }, { body }) => toBulkRequest(actor, body),
  change: async (ctx, _input, request) => ({
    body: { data: toBulkJobResource(await createBulkJob(ctx, request)) },
  }),
  // A small job has ended when its answer arrives.
  follow: beginBulkJob,
});
