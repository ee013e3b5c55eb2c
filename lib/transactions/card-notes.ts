import { and, desc, eq, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import type { CardNote } from "#lib/cards/card-note.ts";
import { personalOf } from "#lib/record/personal-values.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { auditLog } from "#db/schema/events.ts";

/** The notes on a transaction, oldest first. If there are more than the limit, only the newest. */
export async function listTransactionNotes(
  ctx: ReadContext,
  { cardId, id }: Pick<Transaction, "cardId" | "id">,
  limit: number,
): Promise<CardNote[]> {
  const isOfTransaction = and(IS_NOTE, eq(auditLog.targetId, cardId), eq(TRANSACTION_ID, id));
  return (await selectNotes(ctx, isOfTransaction, limit)).toReversed();
}

/** A literal, not a parameter, so that the planner can use the partial index of notes. */
export const IS_NOTE = sql`${auditLog.action} = 'card.noted'`;

const TRANSACTION_ID = sql<string | null>`${auditLog.after} ->> 'transaction_id'`;

/** The account's notes that meet a condition, newest first. */
export async function selectNotes(
  ctx: ReadContext,
  which: SQL | undefined,
  limit: number,
): Promise<CardNote[]> {
  return ctx.db
    .select({
      id: auditLog.id,
      cardId: auditLog.targetId,
      transactionId: TRANSACTION_ID,
      comment: COMMENT,
      createdAt: auditLog.createdAt,
      actor: auditLog.actor,
      requestId: auditLog.requestId,
    })
    .from(auditLog)
    .where(and(eq(auditLog.integratorId, ctx.actor.integratorId), which))
    .orderBy(desc(auditLog.id))
    .limit(limit);
}

/** Stored with the cardholder's values, so that an erasure deletes it. */
const COMMENT = sql<string | null>`${personalOf(auditLog)}::json -> 'after' ->> 'comment'`;
