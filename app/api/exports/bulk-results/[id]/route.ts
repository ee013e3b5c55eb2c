import { exportBulkResults as operation } from "#lib/operations/exports/export-bulk-results.ts";
import { toBulkResultsTable } from "#lib/api/export/bulk-results-table.ts";
import { serve } from "#lib/api/edge/serve.ts";

export const GET = serve(operation, {
  toTable: ({ id, query }, reader) => toBulkResultsTable(id, query.state, reader),
});
