import { and, asc, count, desc, eq, or, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { OPEN_HOLD, transactions } from "#db/schema/cards.ts";

/**
 * The open authorizations of a card. `count` includes all of them; `rows` are the first to expire. The sum of what they
 * hold is the card's `held`.
 */
export interface OpenHolds {
  count: number;
  rows: Transaction[];
}

/** A card's open authorizations. They can still settle, whatever happens to the card. */
export async function listOpenHolds(
  ctx: ReadContext,
  cardId: string,
  limit: number,
): Promise<OpenHolds> {
  const { integratorId } = ctx.actor;
  const isOpen = and(eq(transactions.cardId, cardId), OPEN_HOLD);
  const rows = await ctx.db
    .select()
    .from(transactions)
    .where(and(eq(transactions.integratorId, integratorId), isOpen))
    .orderBy(asc(transactions.holdExpiresAt), asc(transactions.id))
    .limit(limit);
  if (rows.length < limit) {
    return { count: rows.length, rows };
  }
  const [all] = await ctx.db
    .select({ count: count() })
    .from(transactions)
    .where(and(eq(transactions.integratorId, integratorId), isOpen));
  return { count: all?.count ?? 0, rows };
}

/** Matches a card's settled purchases within its integrator. Served by the index of account versions. */
export function isSettledPurchase(cardId: string) {
  return and(
    eq(transactions.cardId, cardId),
    eq(transactions.type, "deduct"),
    sql`${transactions.accountVersion} is not null`,
  );
}

/** A card's newest settled purchases that are not fully refunded. */
export async function listRefundable(
  ctx: ReadContext,
  cardId: string,
  limit: number,
): Promise<Transaction[]> {
  return ctx.db
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, ctx.actor.integratorId),
        isSettledPurchase(cardId),
        sql`${transactions.refunded} < ${transactions.amount}`,
      ),
    )
    .orderBy(desc(transactions.accountVersion))
    .limit(limit);
}

/**
 * The transactions related to a transaction, oldest first: the authorization it captures or the purchase it refunds, and
 * its own further captures and refunds.
 */
export async function listRelatedTransactions(
  ctx: ReadContext,
  { id, authorizationId, refundOf }: Transaction,
  limit: number,
): Promise<Transaction[]> {
  const cause = authorizationId ?? refundOf;
  return ctx.db
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, ctx.actor.integratorId),
        or(
          cause ? eq(transactions.id, cause) : undefined,
          eq(transactions.authorizationId, id),
          eq(transactions.refundOf, id),
        ),
      ),
    )
    .orderBy(asc(transactions.id))
    .limit(limit);
}
