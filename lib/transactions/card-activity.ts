import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { ActorRef } from "#lib/base/actor.ts";
import { getCardWith } from "#lib/cards/card-reads.ts";
import type { CardStatus, FreezeReason } from "#lib/cards/card-state.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { requireCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { cardStateChanges, transactions } from "#db/schema/cards.ts";
import { apiLog } from "#db/schema/events.ts";

interface ActivityBase {
  id: string;
  createdAt: Date;
  actor: ActorRef | null;
  requestId: string;
}

/** One entry of a card's timeline. */
export type Activity =
  | (ActivityBase & {
      type: "state_change";
      stateChange: {
        from: CardStatus | null;
        to: CardStatus;
        reason: FreezeReason | null;
        comment: string | null;
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
    });

interface Query {
  cardId: string;
  before: string | undefined;
  /** One more than the page, to find out whether there is a next page. */
  rowsMax: number;
}

/**
 * A card's timeline, newest first: its status changes, its transactions including declines, and refused requests. Ids
 * encode their time, so one cursor serves all three sources.
 * @throws DomainError `card_not_found`.
 */
export async function listCardActivity(
  ctx: ReadContext,
  cardId: string,
  paging: { limit: number; cursor?: string | undefined },
): Promise<Page<Activity>> {
  const before = requireCursor(paging.cursor);
  const query: Query = { cardId, before, rowsMax: paging.limit + 1 };
  const [, sources] = await getCardWith(ctx, cardId, () =>
    Promise.all([
      readStateChanges(ctx, query),
      readTransactions(ctx, query),
      readRefusals(ctx, query),
    ]),
  );
  const rows = sources.flat().toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return toPage(rows, paging.limit, ({ id }) => id);
}

async function readStateChanges(ctx: ReadContext, query: Query): Promise<Activity[]> {
  const rows = await ctx.db
    .select()
    .from(cardStateChanges)
    .where(
      and(
        eq(cardStateChanges.integratorId, ctx.actor.integratorId),
        eq(cardStateChanges.cardId, query.cardId),
        query.before ? lt(cardStateChanges.id, query.before) : undefined,
      ),
    )
    .orderBy(desc(cardStateChanges.id))
    .limit(query.rowsMax);
  return rows.map((row) => ({
    type: "state_change",
    id: row.id,
    createdAt: row.createdAt,
    actor: row.actor,
    requestId: row.requestId,
    stateChange: {
      from: row.fromStatus,
      to: row.toStatus,
      reason: row.reason,
      comment: row.comment,
    },
  }));
}

async function readTransactions(ctx: ReadContext, query: Query): Promise<Activity[]> {
  const rows = await ctx.db
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, ctx.actor.integratorId),
        eq(transactions.cardId, query.cardId),
        query.before ? lt(transactions.id, query.before) : undefined,
      ),
    )
    .orderBy(desc(transactions.id))
    .limit(query.rowsMax);
  return rows.map((row) => ({
    type: "transaction",
    id: row.id,
    createdAt: row.createdAt,
    actor: row.actor,
    requestId: row.requestId,
    transaction: row,
  }));
}

async function readRefusals(ctx: ReadContext, query: Query): Promise<Activity[]> {
  const rows = await ctx.db
    .select()
    .from(apiLog)
    .where(
      and(
        eq(apiLog.integratorId, ctx.actor.integratorId),
        eq(apiLog.cardId, query.cardId),
        // A literal, not a parameter, so that the planner can use the partial index of refusals.
        sql`${apiLog.status} >= 400`,
        query.before ? lt(apiLog.id, query.before) : undefined,
      ),
    )
    .orderBy(desc(apiLog.id))
    .limit(query.rowsMax);
  return rows.map((row) => ({
    type: "refused_attempt",
    id: row.id,
    createdAt: row.createdAt,
    actor: row.actor,
    requestId: row.requestId,
    refusal: { operation: row.operation, status: row.status, code: row.code, detail: row.detail },
  }));
}
