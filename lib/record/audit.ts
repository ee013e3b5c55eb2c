import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { ActorRef } from "#lib/base/actor.ts";
import type { ReadContext, RequestOrigin } from "#lib/base/context.ts";
import { readMoment } from "#lib/base/moment.ts";
import type { Moment } from "#lib/base/ids.ts";
import { requireCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { auditLog } from "#db/schema/events.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** One change: who did what to which row. `before` and `after` hold the changed members, without secrets. */
export interface AuditRow {
  actor: ActorRef;
  request: RequestOrigin;
  action: string;
  targetType: "card" | "float" | "account" | "cardholder" | "api_key" | "staff";
  targetId: string;
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
}

/** Records changes in the transaction that makes them, at the database's current time. Call it after locking the rows. */
export async function recordAudit(
  tx: Tx,
  integratorId: string,
  rows: readonly AuditRow[],
): Promise<void> {
  if (rows.length > 0) {
    await insertAudit(tx, { integratorId, ...(await readMoment(tx)) }, rows);
  }
}

/** As `recordAudit`, at a moment that was already read. One statement, however many changes. */
export async function insertAudit(
  tx: Tx,
  { integratorId, at, newId }: Moment & { integratorId: string },
  rows: readonly AuditRow[],
): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  const column = <T>(read: (row: AuditRow) => T) => sql.param(rows.map(read));
  const ids = rows.map(() => newId());
  markCommit(
    tx,
    sql`exists (select from audit_log where integrator_id = ${integratorId} and id = ${ids[0]})`,
  );
  await tx.execute(sql`
    insert into audit_log (integrator_id, id, actor, action, target_type, target_id, before, after, address, agent,
      request_id, created_at)
    select ${integratorId}::uuid, row.id, row.actor::jsonb, row.action, row.target_type, row.target_id,
      row.before::jsonb, row.after::jsonb, row.address, row.agent, row.request_id,
      to_timestamp(${at.getTime()}::float8 / 1000)
    from unnest(
      ${sql.param(ids)}::uuid[],
      ${column((row) => JSON.stringify(row.actor))}::text[],
      ${column((row) => row.action)}::text[],
      ${column((row) => row.targetType)}::text[],
      ${column((row) => row.targetId)}::uuid[],
      ${column((row) => row.before && JSON.stringify(row.before))}::text[],
      ${column((row) => row.after && JSON.stringify(row.after))}::text[],
      ${column((row) => row.request.address)}::text[],
      ${column((row) => row.request.agent)}::text[],
      ${column((row) => row.request.id)}::text[]
    ) as row (id, actor, action, target_type, target_id, before, after, address, agent, request_id)`);
}

/** One entry of the audit log. */
export type AuditEntry = Omit<typeof auditLog.$inferSelect, "integratorId">;

/** Which entries to list. */
export interface AuditFilter {
  action?: string | undefined;
  actorId?: string | undefined;
  targetId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Who changed what, newest first. */
export async function listAudit(ctx: ReadContext, filter: AuditFilter): Promise<Page<AuditEntry>> {
  const cursor = requireCursor(filter.cursor);
  const rows = await ctx.db
    .select()
    .from(auditLog)
    .where(
      and(
        eq(auditLog.integratorId, ctx.actor.integratorId),
        filter.action ? eq(auditLog.action, filter.action) : undefined,
        filter.actorId ? sql`${auditLog.actor} ->> 'id' = ${filter.actorId}` : undefined,
        filter.targetId ? eq(auditLog.targetId, filter.targetId) : undefined,
        cursor ? lt(auditLog.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(filter.limit + 1);
  return toPage(rows, filter.limit, ({ id }) => id);
}
