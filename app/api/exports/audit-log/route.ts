import { exportAuditLog as operation } from "#lib/operations/exports/export-audit-log.ts";
import { toAuditTable } from "#lib/api/export/audit-table.ts";
import { serve } from "#lib/api/edge/serve.ts";

export const GET = serve(operation, {
  toTable: ({ query: { actor_id: actorId, target_id: targetId, ...rest } }, { timeZone }) =>
    toAuditTable({ ...rest, actorId, targetId }, timeZone),
});
