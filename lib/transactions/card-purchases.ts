import {
  and,
  asc,
  count,
  desc,
  eq,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  or,
  sql,
} from "drizzle-orm";
import { firstIdAt } from "#lib/base/ids.ts";
import type { ReadContext } from "#lib/base/context.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { OPEN_HOLD, transactions } from "#db/schema/transactions.ts";

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

/** How many of a card's transactions before its freeze are searched for an approval. */
const LOOK_BACK = 500;

/**
 * When a purchase or an authorization of a card was last approved up to the moment of its freeze. Null if there is none
 * among its last 500 transactions until then: the search must not grow with the card's history.
 */
export async function findLastApproval(
  ctx: ReadContext,
  cardId: string,
  frozenAt: Date,
): Promise<Date | null> {
  const recent = ctx.db
    .select({
      type: transactions.type,
      status: transactions.status,
      authorizationId: transactions.authorizationId,
      postedAs: transactions.postedAs,
      takesBack: transactions.takesBack,
      createdAt: transactions.createdAt,
    })
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, ctx.actor.integratorId),
        eq(transactions.cardId, cardId),
        lt(transactions.id, firstIdAt(frozenAt.getTime() + 1)),
      ),
    )
    .orderBy(desc(transactions.id))
    .limit(LOOK_BACK)
    .as("recent");
  const [approved] = await ctx.db
    .select({ at: recent.createdAt })
    .from(recent)
    // A capture was approved with its authorization, not when it arrived.
    .where(
      and(
        eq(recent.type, "deduct"),
        ne(recent.status, "declined"),
        isNull(recent.authorizationId),
        isNull(recent.takesBack),
        // A purchase posted without an authorization, or before it, was not approved.
        sql`coalesce(${recent.postedAs}, '') not in ('without_authorization', 'before_authorization')`,
      ),
    )
    .orderBy(desc(recent.createdAt))
    .limit(1);
  return approved?.at ?? null;
}

/** Whether a purchase of a card was approved and has not been reversed as a whole. */
export async function hasPurchase(ctx: ReadContext, cardId: string): Promise<boolean> {
  const [purchase] = await ctx.db
    .select({ id: transactions.id })
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, ctx.actor.integratorId),
        eq(transactions.cardId, cardId),
        eq(transactions.type, "deduct"),
        inArray(transactions.status, ["authorized", "captured", "settled"]),
      ),
    )
    .limit(1);
  return purchase !== undefined;
}

/**
 * A card's newest settled purchases with at least this much left to refund. Served by the index of account versions.
 */
export async function listRefundable(
  ctx: ReadContext,
  cardId: string,
  { amount = 1, limit }: { amount?: number; limit: number },
): Promise<Transaction[]> {
  return ctx.db
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, ctx.actor.integratorId),
        eq(transactions.cardId, cardId),
        eq(transactions.type, "deduct"),
        isNotNull(transactions.accountVersion),
        isNotNull(transactions.postedAs),
        eq(transactions.takenBack, 0),
        sql`${transactions.amount} - ${transactions.refunded} >= ${amount}`,
      ),
    )
    .orderBy(desc(transactions.accountVersion))
    .limit(limit);
}

/**
 * The transactions related to a transaction, oldest first: the authorization it captures or refunds, the purchase it
 * refunds or covers, what it takes back, and its own further captures, refunds, cover, and what takes it back.
 */
export async function listRelatedTransactions(
  ctx: ReadContext,
  { id, authorizationId, incrementOf, refundOf, takesBack, coverOf }: Transaction,
  limit: number,
): Promise<Transaction[]> {
  const causes = [authorizationId, incrementOf, refundOf, takesBack, coverOf].filter(
    (cause) => cause !== null,
  );
  const isRelated = or(
    inArray(transactions.id, causes),
    eq(transactions.authorizationId, id),
    eq(transactions.incrementOf, id),
    eq(transactions.refundOf, id),
    eq(transactions.takesBack, id),
    eq(transactions.coverOf, id),
  );
  return ctx.db
    .select()
    .from(transactions)
    .where(and(eq(transactions.integratorId, ctx.actor.integratorId), isRelated))
    .orderBy(asc(transactions.id))
    .limit(limit);
}
