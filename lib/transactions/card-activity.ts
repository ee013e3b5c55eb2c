import { and, desc, eq, getTableColumns, lt, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { ActorRef } from "#lib/base/actor.ts";
import type { CardNote } from "#lib/cards/card-note.ts";
import { getCardWith } from "#lib/cards/card-reads.ts";
import type { CardStatus, FreezeLevel, FreezeReason } from "#lib/cards/card-state.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { personalOf } from "#lib/record/personal-values.ts";
import { requireCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { isWithin } from "#lib/base/period.ts";
import type { Period } from "#lib/base/period.ts";
import { listCaptured } from "#lib/transactions/internal/captured.ts";
import { IS_NOTE, selectNotes } from "#lib/transactions/card-notes.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { cardStateChanges } from "#db/schema/cards.ts";
import { transactions } from "#db/schema/transactions.ts";
import { apiLog, auditLog } from "#db/schema/events.ts";

interface ActivityBase {
  id: string;
  cardId: string;
  createdAt: Date;
  actor: ActorRef | null;
  requestId: string;
}

/** One entry of a card's history. */
export type Activity =
  | (ActivityBase & {
      type: "state_change";
      stateChange: {
        from: CardStatus | null;
        to: CardStatus;
        reason: FreezeReason | null;
        comment: string | null;
        /** The level of the freeze that was made, amended, or lifted. */
        level: FreezeLevel | null;
        lifted: boolean;
        /** When the freeze ends. For an automatic lift, the end at which the freeze was lifted. */
        until: Date | null;
      };
    })
  | (ActivityBase & { type: "transaction"; transaction: Transaction })
  | (ActivityBase & {
      type: "refused_attempt";
      refusal: {
        operation: string | null;
        status: number;
        code: string | null;
        detail: string | null;
      };
    })
  | (ActivityBase & { type: "note"; note: Pick<CardNote, "transactionId" | "comment"> });

/** An authorization's first capture, at the time it posted. The authorization's own entry shows it, too. */
export interface Capture extends ActivityBase {
  type: "capture";
  transaction: Transaction;
}

/** One entry of a timeline on which every entry appears at the time it happened. */
export type TimelineEntry = Activity | Capture;

/** The types of a timeline's entries. Each has a table of its own. */
export const ACTIVITY_TYPES = [
  "state_change",
  "transaction",
  "refused_attempt",
  "note",
] as const satisfies readonly Activity["type"][];

interface Query extends Period {
  cardIds: readonly string[];
  before: string | undefined;
  /** One more than the page, to find out whether there is a next page. */
  rowsMax: number;
}

/**
 * A card's timeline, newest first: its status changes, its transactions including declines, refused requests, and
 * notes. Ids encode their time, so one cursor serves all four sources. With `type`, reads only that source.
 * @throws DomainError `card_not_found`.
 */
export async function listCardActivity(
  ctx: ReadContext,
  cardId: string,
  { limit, cursor, type, ...period }: TimelinePage,
): Promise<Page<Activity>> {
  const before = requireCursor(cursor);
  const query: Query = { ...period, cardIds: [cardId], before, rowsMax: limit + 1 };
  const read = type ? READERS[type] : readAll;
  const [, rows] = await getCardWith(ctx, cardId, () => read(ctx, query));
  return toPage(rows, limit, ({ id }) => id);
}

/** Which entries of a card's timeline to list. */
interface TimelinePage extends Period {
  limit: number;
  cursor?: string | undefined;
  /** Absent for every type. */
  type?: Activity["type"] | undefined;
}

/**
 * Like `listCardActivity`, for several cards of the caller's integrator on one timeline. Also lists each capture at the
 * time it posted, so that everything that moved a card's funds appears in the order of its account's versions.
 */
export async function listCardTimeline(
  ctx: ReadContext,
  cardIds: readonly string[],
  { limit, cursor, type, ...period }: TimelinePage,
): Promise<Page<TimelineEntry>> {
  const query: Query = { ...period, cardIds, before: requireCursor(cursor), rowsMax: limit + 1 };
  const hasCaptures = type === undefined || type === "transaction";
  const [activity, captures] = await Promise.all([
    type ? READERS[type](ctx, query) : readAll(ctx, query),
    hasCaptures ? readCaptures(ctx, query) : [],
  ]);
  return toPage(newestFirst([...activity, ...captures]), limit, ({ id }) => id);
}

/** Only when and why several cards were frozen and unfrozen, newest first. */
export async function listCardsFreezes(
  ctx: ReadContext,
  cardIds: readonly string[],
  paging: { limit: number; cursor?: string | undefined },
): Promise<Page<Activity>> {
  const before = requireCursor(paging.cursor);
  const query: Query = { cardIds, before, rowsMax: paging.limit + 1 };
  const freezes = sql`(to_status = 'frozen' or from_status = 'frozen' and to_status = 'active')`;
  return toPage(await readStateChanges(ctx, query, freezes), paging.limit, ({ id }) => id);
}

async function readAll(ctx: ReadContext, query: Query): Promise<Activity[]> {
  const sources = await Promise.all(ACTIVITY_TYPES.map((type) => READERS[type](ctx, query)));
  return newestFirst(sources.flat());
}

function newestFirst<Entry extends { id: string }>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

const READERS: Readonly<
  Record<Activity["type"], (ctx: ReadContext, query: Query) => Promise<Activity[]>>
> = {
  state_change: (ctx, query) => readStateChanges(ctx, query),
  transaction: readTransactions,
  refused_attempt: readRefusals,
  note: readNotes,
};

/** A table with a card's entries. */
interface Source {
  table: SQL;
  id: AnyPgColumn;
  cardId: AnyPgColumn;
}

/**
 * Selects the newest entries of the cards. The index returns the entries of one card in order. For several cards, each
 * card is searched on its own, because no index has all their entries in one order.
 */
function newestOf(
  ctx: ReadContext,
  { cardIds, before, rowsMax, ...period }: Query,
  { table, id, cardId, also }: Source & { also?: SQL | undefined },
): SQL | undefined {
  const earlier = and(isWithin(id, period), before ? lt(id, before) : undefined, also);
  const [only] = cardIds;
  if (only !== undefined && cardIds.length === 1) {
    return and(eq(cardId, only), earlier);
  }
  const own = and(sql`integrator_id = ${ctx.actor.integratorId} and ${cardId} = card.id`, earlier);
  return sql`${id} in (
    select newest.id from unnest(${sql.param([...cardIds])}::uuid[]) as card (id)
    cross join lateral (select ${id} as id from ${table} where ${own} order by ${id} desc limit ${rowsMax}) as newest)`;
}

async function readStateChanges(ctx: ReadContext, query: Query, also?: SQL): Promise<Activity[]> {
  const rows = await ctx.db
    .select({ ...getTableColumns(cardStateChanges), comment: COMMENT })
    .from(cardStateChanges)
    .where(
      and(
        eq(cardStateChanges.integratorId, ctx.actor.integratorId),
        newestOf(ctx, query, {
          table: sql`${cardStateChanges}`,
          id: cardStateChanges.id,
          cardId: cardStateChanges.cardId,
          also,
        }),
      ),
    )
    .orderBy(desc(cardStateChanges.id))
    .limit(query.rowsMax);
  return rows.map((row) => ({
    type: "state_change",
    id: row.id,
    cardId: row.cardId,
    createdAt: row.createdAt,
    actor: row.actor,
    requestId: row.requestId,
    stateChange: {
      from: row.fromStatus,
      to: row.toStatus,
      reason: row.reason,
      comment: row.comment,
      level: row.level,
      lifted: row.lifted,
      until: row.until,
    },
  }));
}

const COMMENT = sql<string | null>`${personalOf(cardStateChanges)}::json ->> 'comment'`;

async function readTransactions(ctx: ReadContext, query: Query): Promise<Activity[]> {
  const rows = await ctx.db
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, ctx.actor.integratorId),
        newestOf(ctx, query, {
          table: sql`${transactions}`,
          id: transactions.id,
          cardId: transactions.cardId,
        }),
      ),
    )
    .orderBy(desc(transactions.id))
    .limit(query.rowsMax);
  return rows.map((row) => ({
    type: "transaction",
    id: row.id,
    cardId: row.cardId,
    createdAt: row.createdAt,
    actor: row.actor,
    requestId: row.requestId,
    transaction: row,
  }));
}

/** Each capture's id is that of its transfer, which encodes the time at which the capture posted. */
async function readCaptures(ctx: ReadContext, query: Query): Promise<Capture[]> {
  const captured = await listCaptured(ctx, query);
  return captured.map(({ transferId: id, settledAt: createdAt, transaction }) => {
    const { cardId, actor, requestId } = transaction;
    return { type: "capture", id, cardId, createdAt, actor, requestId, transaction };
  });
}

async function readRefusals(ctx: ReadContext, query: Query): Promise<Activity[]> {
  const rows = await ctx.db
    .select()
    .from(apiLog)
    .where(
      and(
        eq(apiLog.integratorId, ctx.actor.integratorId),
        newestOf(ctx, query, {
          table: sql`${apiLog}`,
          id: apiLog.id,
          cardId: apiLog.cardId,
          // A literal, not a parameter, so that the planner can use the partial index of refusals.
          also: sql`${apiLog.status} >= 400`,
        }),
      ),
    )
    .orderBy(desc(apiLog.id))
    .limit(query.rowsMax);
  return rows.map((row) => ({
    type: "refused_attempt",
    id: row.id,
    cardId: row.cardId ?? "",
    createdAt: row.createdAt,
    actor: row.actor,
    requestId: row.requestId,
    refusal: { operation: row.operation, status: row.status, code: row.code, detail: row.detail },
  }));
}

async function readNotes(ctx: ReadContext, query: Query): Promise<Activity[]> {
  const which = newestOf(ctx, query, {
    table: sql`${auditLog}`,
    id: auditLog.id,
    cardId: auditLog.targetId,
    also: IS_NOTE,
  });
  const notes = await selectNotes(ctx, which, query.rowsMax);
  return notes.map(toNoteActivity);
}

/** A note as an entry of its card's timeline. */
export function toNoteActivity({ transactionId, comment, ...base }: CardNote): Activity {
  return { ...base, type: "note", note: { transactionId, comment } };
}
