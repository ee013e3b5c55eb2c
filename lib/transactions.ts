import { and, desc, eq, gte, ilike, lt, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ActorRef } from "#lib/actor.ts";
import { getCard } from "#lib/card-reads.ts";
import type { ReadContext } from "#lib/context.ts";
import { notFound } from "#lib/errors.ts";
import { isId, toIdAt } from "#lib/ids.ts";
import type { TransactionStatus, TransactionType } from "#lib/transaction-kinds.ts";
import { requireCursor, toPage } from "#lib/paging.ts";
import type { Page } from "#lib/paging.ts";
import { transactions } from "#db/schema/cards.ts";

/** One transaction of a card. Amounts in minor units; `narrative` is the sender's own text, kept as sent. */
export interface Transaction {
  id: string;
  cardId: string;
  type: TransactionType;
  status: TransactionStatus;
  amount: number;
  currency: string;
  cardBalanceBefore: number;
  cardBalanceAfter: number;
  narrative: string | null;
  merchant: {
    name: string;
    mcc: string | null;
    city: string | null;
    country: string | null;
  } | null;
  declineReason: string | null;
  declineExplanation: string | null;
  /** Of a further capture: the authorisation it belongs to. */
  authorizationId: string | null;
  /** Of money given back: the purchase it was paid for. */
  refundOf: string | null;
  /** How much of a purchase has been given back. */
  refunded: number;
  /** Of an authorisation: what was held at first; null on everything else. */
  holdAmount: number | null;
  holdCaptured: number | null;
  holdReleased: number | null;
  holdExpiresAt: Date | null;
  actor: ActorRef;
  createdAt: Date;
  settledAt: Date | null;
}

/**
 * Which transactions a list shows; `from` is inclusive, `to` exclusive. `search` is part of a narrative, of a merchant's
 * name or of a decline's reason, an amount (`1234` or `12.34`), or an id.
 */
export interface TransactionFilter {
  cardId?: string | undefined;
  type?: TransactionType | undefined;
  status?: TransactionStatus | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  search?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** @throws DomainError `transaction_not_found`, for another integrator's too. */
export async function getTransaction(ctx: ReadContext, id: string): Promise<Transaction> {
  const [row] = isId(id)
    ? await ctx.db
        .select()
        .from(transactions)
        .where(and(eq(transactions.integratorId, ctx.actor.integratorId), eq(transactions.id, id)))
    : [];
  if (!row) {
    throw notFound("transaction_not_found");
  }
  return row;
}

/**
 * A card's transactions, newest first, by page number or by cursor.
 * @throws DomainError `card_not_found`.
 */
export async function listCardTransactions(
  ctx: ReadContext,
  cardId: string,
  paging: { limit: number; page?: number | undefined; cursor?: string | undefined },
): Promise<Page<Transaction> & { nextPage: number | null }> {
  await getCard(ctx, cardId);
  const page = paging.page ?? 1;
  const listed = await readPage(
    ctx,
    { cardId, limit: paging.limit, cursor: paging.cursor },
    (page - 1) * paging.limit,
  );
  return { ...listed, nextPage: listed.nextCursor === null ? null : page + 1 };
}

/** The transactions of all cards, newest first. */
export async function listTransactions(
  ctx: ReadContext,
  filter: TransactionFilter,
): Promise<Page<Transaction>> {
  return readPage(ctx, filter, 0);
}

async function readPage(
  ctx: ReadContext,
  filter: TransactionFilter,
  offset: number,
): Promise<Page<Transaction>> {
  const cursor = requireCursor(filter.cursor);
  const rows = await ctx.db
    .select()
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, ctx.actor.integratorId),
        filter.cardId ? eq(transactions.cardId, filter.cardId) : undefined,
        filter.type ? eq(transactions.type, filter.type) : undefined,
        filter.status ? eq(transactions.status, filter.status) : undefined,
        ...toTimeConditions(filter),
        filter.search ? toSearchCondition(filter.search) : undefined,
        cursor ? lt(transactions.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(transactions.id))
    .limit(filter.limit + 1)
    .offset(offset);
  return toPage<Transaction>(rows, filter.limit, (row) => row.id);
}

/** How far the clock that makes ids may be from the database's, which says when something was. */
const CLOCKS_APART_MS = 60 * 60_000;

/** Ids begin with their time, so that their index leads to the days asked for; the database's clock decides. */
function toTimeConditions({ from, to }: TransactionFilter): (SQL | undefined)[] {
  return [
    from && gte(transactions.createdAt, from),
    from && gte(transactions.id, toIdAt(new Date(from.getTime() - CLOCKS_APART_MS))),
    to && lt(transactions.createdAt, to),
    to && lt(transactions.id, toIdAt(new Date(to.getTime() + CLOCKS_APART_MS))),
  ];
}

function toSearchCondition(search: string): SQL | undefined {
  if (isId(search)) {
    return or(eq(transactions.id, search), eq(transactions.cardId, search));
  }
  const amount = toSearchedAmount(search);
  return or(
    ilike(transactions.narrative, toPattern(search)),
    ilike(sql`${transactions.merchant}->>'name'`, toPattern(search)),
    ilike(transactions.declineReason, toPattern(search.replaceAll(" ", "_"))),
    amount === undefined ? undefined : eq(transactions.amount, amount),
  );
}

function toPattern(search: string): string {
  return `%${search.replaceAll(/[\\%_]/gu, String.raw`\$&`)}%`;
}

/** Minor units, whether written with their point or without. */
function toSearchedAmount(search: string): number | undefined {
  const digits = /^(?<whole>[0-9]{1,13})(?:[.](?<part>[0-9]{2,3}))?$/u.exec(search)?.groups;
  return digits ? Number(`${digits["whole"]}${digits["part"] ?? ""}`) : undefined;
}
