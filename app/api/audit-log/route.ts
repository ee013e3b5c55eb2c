import { listAuditLog as operation } from "#lib/operations/access/list-audit-log.ts";
import { serve } from "#lib/api/edge/serve.ts";
import { toAuditFilter } from "#lib/api/wire/filters.ts";
import { toAuditResource } from "#lib/record/audit-resource.ts";
import { listAudit } from "#lib/record/audit.ts";

export const GET = serve(operation, {
  snapshot: async (ctx, { query }) => {
    const { limit, cursor } = query;
    const page = await listAudit(ctx, { ...toAuditFilter(query), limit, cursor });
    return { body: { data: page.rows.map(toAuditResource), next_cursor: page.nextCursor } };
  },
});
