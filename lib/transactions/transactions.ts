import { and, count, desc, eq, gte, lt, lte, or, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ActorRef } from "#lib/base/actor.ts";
import { getCardWith } from "#lib/cards/card-reads.ts";
import type { ReadContext } from "#lib/base/context.ts";
import type { DeclineReason } from "#lib/transactions/decline-rules.ts";
import { notFound } from "#lib/base/errors.ts";
import { firstIdAt, isId } from "#lib/base/ids.ts";
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from "#lib/transactions/transaction-kinds.ts";
import type { TransactionStatus, TransactionType } from "#lib/transactions/transaction-kinds.ts";
import { COUNTED_MAX, requireCursor, toCount, toPage } from "#lib/base/paging.ts";
import type { Count, Page } from "#lib/base/paging.ts";
import { containsText } from "#lib/base/search.ts";
import { toSearchedText, transactions } from "#db/schema/cards.ts";

/** One transaction of a card. Amounts in minor units. `narrative` is the sender's own text, stored as sent. */
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
  /** For a further capture: the authorization it belongs to. */
  authorizationId: string | null;
  /** For a refund: the purchase it refunds. */
  refundOf: string | null;
  /** How much of a purchase has been refunded. */
  refunded: number;
  /** For an authorization: the amount initially held. Null for any other transaction. */
  holdAmount: number | null;
  holdCaptured: number | null;
  holdReleased: number | null;
  holdExpiresAt: Date | null;
  /** The transfer that moved the money, once the transaction has settled. */
  transferId: string | null;
  actor: ActorRef;
  requestId: string;
  createdAt: Date;
  settledAt: Date | null;
}

/**
 * Which transactions to list. `from` is inclusive, `to` is exclusive, and both amounts are inclusive. `search` is part of a
 * narrative, of a merchant's name, or of a decline reason; an amount (`1234` or `12.34`); or an id.
 */
export interface TransactionFilter {
  cardId?: string | undefined;
  type?: TransactionType | undefined;
  status?: TransactionStatus | undefined;
  declineReason?: DeclineReason | undefined;
  amountMin?: number | undefined;
  amountMax?: number | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  search?: string | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** @throws DomainError `transaction_not_found`, also for another integrator's transaction. */
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
  const page = paging.page ?? 1;
  const [, listed] = await getCardWith(ctx, cardId, () =>
    readPage(
      ctx,
      { cardId, limit: paging.limit, cursor: paging.cursor },
      (page - 1) * paging.limit,
    ),
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

/** How many transactions the filter matches from its cursor on, up to a bound. */
export async function countTransactions(
  ctx: ReadContext,
  filter: TransactionFilter,
): Promise<Count> {
  const matched = ctx.db
    .select({ id: transactions.id })
    .from(transactions)
    .where(toWhere(ctx, filter, COUNTED_MAX))
    .orderBy(desc(transactions.id))
    .limit(COUNTED_MAX)
    .as("matched");
  const [row] = await ctx.db.select({ matched: count() }).from(matched);
  return toCount(row?.matched ?? 0);
}

async function readPage(
  ctx: ReadContext,
  filter: TransactionFilter,
  offset: number,
): Promise<Page<Transaction>> {
  const rows = await ctx.db
    .select()
    .from(transactions)
    .where(toWhere(ctx, filter, offset + filter.limit + 1))
    .orderBy(desc(transactions.id))
    .limit(filter.limit + 1)
    .offset(offset);
  return toPage<Transaction>(rows, filter.limit, (row) => row.id);
}

/** Selects at least the newest `rowsMax` rows that match. */
function toWhere(ctx: ReadContext, filter: TransactionFilter, rowsMax: number): SQL | undefined {
  const conditions = toConditions(ctx, filter);
  return and(
    eq(transactions.integratorId, ctx.actor.integratorId),
    filtersByKindOnly(filter) ? toNewestOfKinds(filter, conditions, rowsMax) : conditions,
  );
}

function toConditions(ctx: ReadContext, filter: TransactionFilter): SQL | undefined {
  const { cardId, type, status, from, to, search } = filter;
  const cursor = requireCursor(filter.cursor);
  return and(
    eq(transactions.integratorId, ctx.actor.integratorId),
    cardId ? eq(transactions.cardId, cardId) : undefined,
    type ? eq(transactions.type, type) : undefined,
    status ? eq(transactions.status, status) : undefined,
    // Ids encode the time of their row, so the index of ids can find a moment.
    from ? gte(transactions.id, firstIdAt(from.getTime())) : undefined,
    to ? lt(transactions.id, firstIdAt(to.getTime())) : undefined,
    toValueCondition(filter),
    search ? toSearchCondition(search) : undefined,
    cursor ? lt(transactions.id, cursor) : undefined,
  );
}

/** Each of these filters has an index of its own. */
function toValueCondition({
  declineReason,
  amountMin,
  amountMax,
}: TransactionFilter): SQL | undefined {
  return and(
    declineReason ? eq(transactions.declineReason, declineReason) : undefined,
    amountMin === undefined ? undefined : gte(transactions.amount, amountMin),
    amountMax === undefined ? undefined : lte(transactions.amount, amountMax),
  );
}

function filtersByKindOnly(filter: TransactionFilter): boolean {
  const { cardId, search, type, status } = filter;
  const isByOther = Boolean(cardId) || Boolean(search) || toValueCondition(filter) !== undefined;
  return !isByOther && (type !== undefined || status !== undefined);
}

/**
 * Selects the newest rows of each requested kind, a kind being a type with a status. The index returns each kind in order,
 * so a rare kind is found as fast as a common one.
 */
function toNewestOfKinds(
  filter: TransactionFilter,
  conditions: SQL | undefined,
  rowsMax: number,
): SQL | undefined {
  const types = filter.type ? [filter.type] : TRANSACTION_TYPES;
  const statuses = filter.status ? [filter.status] : TRANSACTION_STATUSES;
  return sql`${transactions.id} in (
    select newest.id
    from unnest(${sql.param([...types])}::text[]) as kind_type
    cross join unnest(${sql.param([...statuses])}::text[]) as kind_status
    cross join lateral (
      select ${transactions.id} from ${transactions}
      where ${transactions.type} = kind_type and ${transactions.status} = kind_status and ${conditions}
      order by ${transactions.id} desc limit ${rowsMax}
    ) as newest)`;
}

function toSearchCondition(search: string): SQL | undefined {
  if (isId(search)) {
    return or(eq(transactions.id, search), eq(transactions.cardId, search));
  }
  const amount = toSearchedAmount(search);
  return or(
    containsText(toSearchedText(transactions), search),
    amount === undefined ? undefined : eq(transactions.amount, amount),
  );
}

/** Minor units, whether the amount is written with its decimal point or without it. */
function toSearchedAmount(search: string): number | undefined {
  const digits = /^(?<whole>[0-9]{1,13})(?:[.](?<part>[0-9]{2,3}))?$/u.exec(search)?.groups;
  return digits ? Number(`${digits["whole"]}${digits["part"] ?? ""}`) : undefined;
}
