import { and, asc, count, eq, ne, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { COUNTED_MAX, toCount } from "#lib/base/paging.ts";
import type { Count } from "#lib/base/paging.ts";
import type { CardStatus } from "#lib/cards/card-state.ts";
import { cards } from "#db/schema/cards.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";

/** How many cards were ever created for each of these cardholders, up to a bound: one person may have very many. */
export async function countCardsOf(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<Map<string, Count>> {
  const rows = await ctx.db.execute<{ id: string; counted: number }>(sql`
    select holder.id, (
      select count(*)::float8 from (
        select from cards
        where integrator_id = ${ctx.actor.integratorId} and cardholder_id = holder.id
        limit ${COUNTED_MAX}
      ) as bounded
    ) as counted
    from unnest(${sql.param([...ids])}::uuid[]) as holder (id)`);
  return new Map(rows.map(({ id, counted }) => [id, toCount(counted)]));
}

/** A sum of amounts in one currency, in minor units. It need not be a safe integer. */
export interface CardholderBalance {
  currency: string;
  balance: bigint;
  available: bigint;
}

/** How many cards of each status a cardholder has, and their total balances. */
export interface CardholderTotals {
  cards: Record<CardStatus, number>;
  /** One sum for each currency of their cards. */
  balances: CardholderBalance[];
}

/** Adds up all of a cardholder's cards. */
export async function getCardholderTotals(ctx: ReadContext, id: string): Promise<CardholderTotals> {
  const rows = await ctx.db
    .select({
      status: ledgerAccounts.status,
      currency: ledgerAccounts.currency,
      cards: count(),
      balance: sql`sum(${ledgerAccounts.balance})`.mapWith(BigInt),
      available: sql`sum(${ledgerAccounts.balance} - ${ledgerAccounts.held})`.mapWith(BigInt),
    })
    .from(cards)
    .innerJoin(ledgerAccounts, ACCOUNT_OF_CARD)
    .where(and(eq(cards.integratorId, ctx.actor.integratorId), eq(cards.cardholderId, id)))
    .groupBy(ledgerAccounts.currency, ledgerAccounts.status);
  const countOf = (status: CardStatus) =>
    rows.filter((row) => row.status === status).reduce((sum, row) => sum + row.cards, 0);
  return {
    cards: { active: countOf("active"), frozen: countOf("frozen"), closed: countOf("closed") },
    balances: [...Map.groupBy(rows, ({ currency }) => currency)].map(([currency, own]) => ({
      currency,
      balance: own.reduce((sum, row) => sum + row.balance, 0n),
      available: own.reduce((sum, row) => sum + row.available, 0n),
    })),
  };
}

/** How many open cards a refusal names. */
const NAMED_MAX = 10;

/** A cardholder's cards that are not closed, the oldest first, up to a bound. */
export async function listOpenCards(
  ctx: ReadContext,
  id: string,
): Promise<{ last4: string; status: CardStatus | null }[]> {
  return ctx.db
    .select({ last4: cards.last4, status: ledgerAccounts.status })
    .from(cards)
    .innerJoin(ledgerAccounts, ACCOUNT_OF_CARD)
    .where(
      and(
        eq(cards.integratorId, ctx.actor.integratorId),
        eq(cards.cardholderId, id),
        ne(ledgerAccounts.status, "closed"),
      ),
    )
    .orderBy(asc(cards.id))
    .limit(NAMED_MAX);
}

const ACCOUNT_OF_CARD = and(
  eq(ledgerAccounts.integratorId, cards.integratorId),
  eq(ledgerAccounts.id, cards.id),
);
