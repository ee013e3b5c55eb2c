import { listAuditLog as operation } from "#lib/api/contract/access.ts";
import { handleReadOnce } from "#lib/api/edge/handle.ts";
import { toAuditResource } from "#lib/api/wire/staff-resources.ts";
import { listAudit } from "#lib/record/audit.ts";

export const GET = handleReadOnce(operation, async (ctx, { query }) => {
  const { action, actor_id: actorId, target_id: targetId, limit, cursor } = query;
  const page = await listAudit(ctx, { action, actorId, targetId, limit, cursor });
  return { body: { data: page.rows.map(toAuditResource), next_cursor: page.nextCursor } };
});
