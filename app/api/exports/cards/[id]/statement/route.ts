import { exportCardStatement as operation } from "#lib/operations/exports/export-card-statement.ts";
import { toStatementTable } from "#lib/api/export/statement-table.ts";
import { serve } from "#lib/api/edge/serve.ts";

export const GET = serve(operation, {
  toTable: ({ id, query }, at) => toStatementTable({ cardId: id, period: query }, at),
});
