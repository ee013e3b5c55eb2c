import { and, desc, eq, getTableColumns, gte, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { ActorRef } from "#lib/base/actor.ts";
import type { ReadContext, RequestOrigin } from "#lib/base/context.ts";
import { readMoment } from "#lib/base/moment.ts";
import type { Moment } from "#lib/base/ids.ts";
import { requireCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { isWithin } from "#lib/base/period.ts";
import { REFUSED, requireAuditFilter } from "#lib/record/audit-actions.ts";
import type { AuditSearch, AuditTarget, RecordedAction } from "#lib/record/audit-actions.ts";
import { findMeanings, toMeanings } from "#lib/record/internal/audit-meanings.ts";
import { findEntries } from "#lib/record/internal/audit-search.ts";
import { MOVES } from "#lib/record/internal/audit-sources.ts";
import {
  insertPersonal,
  isAboutPerson,
  mergePersonal,
  splitPersonal,
  personalOf,
} from "#lib/record/personal-values.ts";
import type { Split } from "#lib/record/personal-values.ts";
import { insertRows } from "#db/insert-rows.ts";
import { transactions } from "#db/schema/transactions.ts";
import { auditLog } from "#db/schema/events.ts";
import { staff } from "#db/schema/staff.ts";
import { pipeline } from "#db/pipeline.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** One change: who did what to which row. `before` and `after` hold the changed members, without secrets. */
export interface AuditRow {
  actor: ActorRef;
  request: RequestOrigin;
  action: RecordedAction;
  targetType: AuditTarget;
  targetId: string;
  before: Readonly<Record<string, unknown>> | null;
  after: Readonly<Record<string, unknown>> | null;
}

/** Records changes in the transaction that makes them, at the database's current time. Call it with the rows locked. */
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
  const entries = rows.map((row) => ({ ...row, ...splitRow(row), id: newId() }));
  markCommit(
    tx,
    sql`exists (select from audit_log where integrator_id = ${integratorId} and id = ${entries[0]?.id})`,
  );
  await pipeline([
    tx.execute(
      insertRows("audit_log", entries, {
        integrator_id: ["uuid", () => integratorId],
        id: ["uuid", ({ id }) => id],
        actor: ["jsonb", ({ actor }) => actor],
        action: ["text", ({ action }) => action],
        target_type: ["text", ({ targetType }) => targetType],
        target_id: ["uuid", ({ targetId }) => targetId],
        before: ["jsonb", ({ kept }) => kept.before],
        after: ["jsonb", ({ kept }) => kept.after],
        address: ["text", ({ request }) => request.address],
        agent: ["text", ({ request }) => request.agent],
        request_id: ["text", ({ request }) => request.id],
        created_at: ["timestamptz", () => at],
      }),
    ),
    insertPersonal(
      tx,
      integratorId,
      entries.map(({ id, targetId, personal }) => ({
        recordId: id,
        subjectId: targetId,
        personal,
      })),
    ),
  ]);
}

function splitRow({
  targetType,
  before,
  after,
}: AuditRow): Split<Pick<AuditRow, "before" | "after">> {
  const record = { before, after };
  return isAboutPerson(targetType) ? splitPersonal(record) : { kept: record, personal: null };
}

/** One entry of the audit log. */
export type AuditEntry = Omit<typeof auditLog.$inferSelect, "integratorId">;

/** Which entries to list. `from` is inclusive, `to` exclusive. */
export interface AuditFilter {
  /** An action, `refused` for every refused attempt, or an operation's id followed by `.refused`. */
  action?: string | undefined;
  actorId?: string | undefined;
  targetId?: string | undefined;
  search?: AuditSearch | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  limit: number;
  cursor?: string | undefined;
}

/**
 * How many rows of the audit log, and how many transactions, a search reads for one page. If it finds too few entries
 * in them, it returns those and a cursor to search further.
 */
const SEARCHED_MAX = 20_000;

/**
 * Lists who changed what, newest first. A page of a search may have fewer rows than its limit, or none, and still have
 * a cursor.
 * @throws DomainError `validation_failed` for an unknown action or a malformed cursor.
 */
export async function listAudit(
  ctx: ReadContext,
  filter: AuditFilter,
  searchedMax = SEARCHED_MAX,
): Promise<Page<AuditEntry>> {
  const { actorId, search } = filter;
  const wanted: Wanted = {
    ...filter,
    cursor: requireCursor(filter.cursor),
    action: requireAuditFilter(filter.action),
    isOfPerson: actorId !== undefined && (await isPerson(ctx, actorId)),
  };
  return search ? searchAudit(ctx, { ...wanted, search }, searchedMax) : readAudit(ctx, wanted);
}

async function searchAudit(
  ctx: ReadContext,
  wanted: Wanted & { search: AuditSearch },
  searchedMax: number,
): Promise<Page<AuditEntry>> {
  const { ids, end } = await findEntries(ctx, {
    meanings: [...toMeanings(wanted), ...(await findMeanings(ctx, wanted.search))],
    toRange: (id) => isInRange(id, wanted),
    limit: wanted.limit + 1,
    searchedMax,
  });
  const page = await readAudit(ctx, { ...wanted, ids });
  return { ...page, nextCursor: page.nextCursor ?? end };
}

async function readAudit(ctx: ReadContext, wanted: Wanted): Promise<Page<AuditEntry>> {
  const { limit } = wanted;
  const entries = await listEntries(ctx, wanted);
  // A full page shows no moves of funds that are older than its last entry.
  const least = entries.length > limit ? entries.at(-1)?.id : undefined;
  const moves = wanted.isOfPerson ? [] : await listMoves(ctx, wanted, least);
  const rows = [...entries, ...moves].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return toPage(rows, limit, ({ id }) => id);
}

/** A validated filter, whether its actor is a person, and the ids that its search has found. */
interface Wanted extends AuditFilter {
  isOfPerson: boolean;
  ids?: readonly string[];
}

async function listEntries(ctx: ReadContext, wanted: Wanted): Promise<AuditEntry[]> {
  const { action, actorId, targetId, isOfPerson } = wanted;
  const rows = await ctx.db
    .select({ ...getTableColumns(auditLog), personal: PERSONAL })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.integratorId, ctx.actor.integratorId),
        action ? isAction(action) : undefined,
        actorId ? isActor(actorId, isOfPerson) : undefined,
        targetId ? eq(auditLog.targetId, targetId) : undefined,
        isInRange(auditLog.id, wanted),
      ),
    )
    .orderBy(desc(auditLog.id))
    .limit(wanted.limit + 1);
  return rows.map(({ personal, ...row }) => mergePersonal(row, personal && JSON.parse(personal)));
}

/** Cast to `jsonb`, so that its members have the same order as those of `before` and `after`. */
const PERSONAL = sql<string | null>`${personalOf(auditLog)}::jsonb::text`;

/**
 * Lists credits and debits by API keys from their transactions, because the audit log has no rows for them.
 * @param least the smallest id to list; undefined for no limit.
 */
async function listMoves(
  ctx: ReadContext,
  wanted: Wanted,
  least: string | undefined,
): Promise<AuditEntry[]> {
  const moves = MOVES.filter(({ action }) => (wanted.action ?? action) === action);
  const pages = await pipeline(moves.map((move) => listMovesOf(ctx, wanted, { ...move, least })));
  return pages.flat();
}

async function listMovesOf(
  ctx: ReadContext,
  wanted: Wanted,
  { action, type, least }: (typeof MOVES)[number] & { least: string | undefined },
): Promise<AuditEntry[]> {
  const { actorId, targetId } = wanted;
  const rows = await ctx.db
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, ctx.actor.integratorId),
        isSettled(type, targetId),
        sql`${transactions.actor} ->> 'type' = 'api_key'`,
        actorId ? sql`${transactions.actor} ->> 'id' = ${actorId}` : undefined,
        targetId ? eq(transactions.cardId, targetId) : undefined,
        isInRange(transactions.id, wanted),
        least ? gte(transactions.id, least) : undefined,
      ),
    )
    .orderBy(desc(transactions.id))
    .limit(wanted.limit + 1);
  return rows.map((row) => toEntry(action, row));
}

/**
 * Whether a transaction is of this type and settled. For one card, the condition is written so that no index matches
 * it: without statistics, the planner would read all transactions of the type instead of the card's few.
 */
function isSettled(type: string, cardId: string | undefined): SQL {
  return cardId === undefined
    ? sql`${transactions.type} = ${type} and ${transactions.status} = 'settled'`
    : sql`${transactions.type} || ' ' || ${transactions.status} = ${`${type} settled`}`;
}

function toEntry(action: string, row: typeof transactions.$inferSelect): AuditEntry {
  const { id, actor, cardId, amount, coverOf, address, requestId, createdAt } = row;
  return {
    id,
    actor,
    action,
    targetType: "card",
    targetId: cardId,
    before: null,
    after: { amount, reference: id, ...(coverOf === null ? {} : { cover_of: coverOf }) },
    address,
    agent: null,
    requestId,
    createdAt,
  };
}

function isInRange(
  id: AnyPgColumn,
  { cursor, ids, ...period }: Pick<Wanted, "from" | "to" | "cursor" | "ids">,
): SQL | undefined {
  return and(
    isWithin(id, period),
    cursor ? lt(id, cursor) : undefined,
    ids ? sql`${id} = any(${sql.param(ids)}::uuid[])` : undefined,
  );
}

function isAction(action: string): SQL {
  return action === REFUSED ? sql`${auditLog.action} like '%refused'` : eq(auditLog.action, action);
}

/**
 * Entries by people are indexed by person. Entries by API keys are not, because there are too many, but they are never
 * far away.
 */
function isActor(id: string, isOfPerson: boolean): SQL {
  const isOfActor = sql`${auditLog.actor} ->> 'id' = ${id}`;
  return isOfPerson ? sql`${isOfActor} and ${auditLog.actor} ->> 'type' = 'staff'` : isOfActor;
}

async function isPerson({ db, actor }: ReadContext, id: string): Promise<boolean> {
  const [person] = await db
    .select({ id: staff.id })
    .from(staff)
    .where(and(eq(staff.integratorId, actor.integratorId), eq(staff.id, id)));
  return person !== undefined;
}
