import { exportFloatStatement as operation } from "#lib/operations/exports/export-float-statement.ts";
import { toStatementTable } from "#lib/api/export/statement-table.ts";
import { serve } from "#lib/api/edge/serve.ts";

export const GET = serve(operation, {
  toTable: ({ query }, at) => toStatementTable({ cardId: null, period: query }, at),
});
