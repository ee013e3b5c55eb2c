import { and, desc, eq, gte, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ActorRef } from "#lib/base/actor.ts";
import type { ReadContext, RequestOrigin } from "#lib/base/context.ts";
import { readMoment } from "#lib/base/moment.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import type { Moment } from "#lib/base/ids.ts";
import { requireCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { REFUSED, requireAuditFilter } from "#lib/record/audit-actions.ts";
import type { AuditAction, RefusedAction } from "#lib/record/audit-actions.ts";
import { insertRows } from "#db/insert-rows.ts";
import { auditLog } from "#db/schema/events.ts";
import { staff } from "#db/schema/staff.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** One change: who did what to which row. `before` and `after` hold the changed members, without secrets. */
export interface AuditRow {
  actor: ActorRef;
  request: RequestOrigin;
  action: AuditAction | RefusedAction;
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
  const entries = rows.map((row) => ({ ...row, id: newId() }));
  markCommit(
    tx,
    sql`exists (select from audit_log where integrator_id = ${integratorId} and id = ${entries[0]?.id})`,
  );
  await tx.execute(
    insertRows("audit_log", entries, {
      integrator_id: ["uuid", () => integratorId],
      id: ["uuid", ({ id }) => id],
      actor: ["jsonb", ({ actor }) => actor],
      action: ["text", ({ action }) => action],
      target_type: ["text", ({ targetType }) => targetType],
      target_id: ["uuid", ({ targetId }) => targetId],
      before: ["jsonb", ({ before }) => before],
      after: ["jsonb", ({ after }) => after],
      address: ["text", ({ request }) => request.address],
      agent: ["text", ({ request }) => request.agent],
      request_id: ["text", ({ request }) => request.id],
      created_at: ["timestamptz", () => at],
    }),
  );
}

/** One entry of the audit log. */
export type AuditEntry = Omit<typeof auditLog.$inferSelect, "integratorId">;

/** Which entries to list. `from` is inclusive, `to` exclusive. */
export interface AuditFilter {
  /** An action, `refused` for every refused attempt, or an operation's id followed by `.refused`. */
  action?: string | undefined;
  actorId?: string | undefined;
  targetId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  limit: number;
  cursor?: string | undefined;
}

/**
 * Who changed what, newest first.
 * @throws DomainError `validation_failed` for an unknown action or a malformed cursor.
 */
export async function listAudit(ctx: ReadContext, filter: AuditFilter): Promise<Page<AuditEntry>> {
  const cursor = requireCursor(filter.cursor);
  const action = requireAuditFilter(filter.action);
  const { targetId, from, to } = filter;
  const rows = await ctx.db
    .select()
    .from(auditLog)
    .where(
      and(
        eq(auditLog.integratorId, ctx.actor.integratorId),
        action ? isAction(action) : undefined,
        filter.actorId ? await isActor(ctx, filter.actorId) : undefined,
        targetId ? eq(auditLog.targetId, targetId) : undefined,
        // Ids begin with their time.
        from ? gte(auditLog.id, firstIdAt(from.getTime())) : undefined,
        to ? lt(auditLog.id, firstIdAt(to.getTime())) : undefined,
        cursor ? lt(auditLog.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(filter.limit + 1);
  return toPage(rows, filter.limit, ({ id }) => id);
}

/** The action as a literal, not a parameter: PostgreSQL uses a partial index only then. */
function isAction(action: string): SQL {
  if (!/^[\w.-]+$/u.test(action)) {
    throw new Error(`"${action}" is not an action.`);
  }
  return action === REFUSED
    ? sql`${auditLog.action} like '%refused'`
    : sql`${auditLog.action} = ${sql.raw(`'${action}'`)}`;
}

/** Entries of people are indexed by person. API keys act too often to be, and are never far away. */
async function isActor({ db, actor }: ReadContext, id: string): Promise<SQL> {
  const [person] = await db
    .select({ id: staff.id })
    .from(staff)
    .where(and(eq(staff.integratorId, actor.integratorId), eq(staff.id, id)));
  const isOfActor = sql`${auditLog.actor} ->> 'id' = ${id}`;
  return person ? sql`${isOfActor} and ${auditLog.actor} ->> 'type' = 'staff'` : isOfActor;
}
