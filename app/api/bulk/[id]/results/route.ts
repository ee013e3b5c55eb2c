import { listBulkResults as operation } from "#lib/operations/bulk/list-bulk-results.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toBulkResultResource } from "#lib/bulk/bulk-resource.ts";
import { getBulkJob, listBulkResults } from "#lib/bulk/bulk-jobs.ts";

export const GET = serve(operation, {
  snapshot: async (ctx, { id, query: { state: states, ...page } }) => {
    await getBulkJob(ctx, id);
    const { rows, nextCursor } = await listBulkResults(ctx, id, { states, ...page });
    return { body: { data: rows.map(toBulkResultResource), next_cursor: nextCursor } };
  },
});
