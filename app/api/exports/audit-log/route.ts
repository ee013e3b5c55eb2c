import { exportAuditLog as operation } from "#lib/operations/exports/export-audit-log.ts";
import { toAuditTable } from "#lib/api/export/audit-table.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toAuditFilter } from "#lib/api/wire/filters.ts";

export const GET = serve(operation, {
  toTable: ({ query }, { timeZone }) => toAuditTable(toAuditFilter(query), timeZone),
});
