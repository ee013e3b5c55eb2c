import { and, count, desc, eq, sql } from "drizzle-orm";
import { getCardWith } from "#lib/cards/card-reads.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import { firstIdAt, isId } from "#lib/base/ids.ts";
import { TRANSACTION_STATUSES, TRANSACTION_TYPES } from "#lib/transactions/transaction-kinds.ts";
import { COUNTED_MAX, requireCursor, toCount, toPage } from "#lib/base/paging.ts";
import type { Count, Page } from "#lib/base/paging.ts";
import { toIds } from "#lib/base/period.ts";
import { toWhere } from "#lib/transactions/transaction-filter.ts";
import type { TransactionFilter } from "#lib/transactions/transaction-filter.ts";
import { runSelect, toPresentNames } from "#db/compiled-select.ts";
import { transactions } from "#db/schema/transactions.ts";

/** One transaction of a card. Amounts in minor units. `narrative` is the sender's own text. */
export type Transaction = Omit<
  typeof transactions.$inferSelect,
  "integratorId" | "accountVersion" | "address"
>;

/** Which transactions of one card to list. */
type CardTransactionFilter = Pick<
  TransactionFilter,
  "types" | "statuses" | "from" | "to" | "limit" | "cursor"
> & { page?: number | undefined };

/** @throws DomainError `transaction_not_found`, also for another integrator's transaction. */
export async function getTransaction(ctx: ReadContext, id: string): Promise<Transaction> {
  const row = await findTransaction(ctx, id);
  if (!row) {
    throw notFound("transaction_not_found");
  }
  return row;
}

/** The transaction with this id; undefined also for another integrator's. */
export async function findTransaction(
  ctx: ReadContext,
  id: string,
): Promise<Transaction | undefined> {
  const [row] = isId(id)
    ? await ctx.db
        .select()
        .from(transactions)
        .where(and(eq(transactions.integratorId, ctx.actor.integratorId), eq(transactions.id, id)))
    : [];
  return row;
}

/**
 * A card's transactions, newest first, by page number or by cursor.
 * @throws DomainError `card_not_found`.
 */
export async function listCardTransactions(
  ctx: ReadContext,
  cardId: string,
  { page = 1, ...filter }: CardTransactionFilter,
): Promise<Page<Transaction> & { nextPage: number | null }> {
  const [, listed] = await getCardWith(ctx, cardId, () =>
    readPage(ctx, { ...filter, cardId }, (page - 1) * filter.limit),
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
  const [row] = await runSelect(ctx.db, {
    key: toKey("number of transactions", filter),
    build: (builder) => {
      const matched = builder
        .select({ id: transactions.id })
        .from(transactions)
        .where(and(eq(transactions.integratorId, sql.placeholder("integratorId")), toWhere(filter)))
        .orderBy(desc(transactions.id))
        .limit(sql.placeholder("rowsMax"))
        .as("matched");
      return builder.select({ matched: count() }).from(matched);
    },
    values: { ...toValues(ctx, filter), rowsMax: COUNTED_MAX, rowsOfKindMax: COUNTED_MAX },
  });
  return toCount(row?.matched ?? 0);
}

async function readPage(
  ctx: ReadContext,
  filter: TransactionFilter,
  offset: number,
): Promise<Page<Transaction>> {
  const rows = await runSelect(ctx.db, {
    key: toKey("transactions", filter),
    build: (builder) =>
      builder
        .select()
        .from(transactions)
        .where(and(eq(transactions.integratorId, sql.placeholder("integratorId")), toWhere(filter)))
        .orderBy(desc(transactions.id))
        .limit(sql.placeholder("rowsMax"))
        .offset(sql.placeholder("rowsBefore")),
    values: {
      ...toValues(ctx, filter),
      rowsMax: filter.limit + 1,
      rowsOfKindMax: offset + filter.limit + 1,
      rowsBefore: offset,
    },
  });
  return toPage<Transaction>(rows, filter.limit, (row) => row.id);
}

/** Undefined for searches and merchants: their statements contain the words, because their plans depend on them. */
function toKey(
  name: string,
  { search, merchant, searchedCards: _searchedCards, limit: _limit, ...rest }: TransactionFilter,
) {
  return search || merchant ? undefined : `${name} ${toPresentNames(rest)}`;
}

function toValues(ctx: ReadContext, filter: TransactionFilter) {
  return {
    ...filter,
    integratorId: ctx.actor.integratorId,
    cursor: requireCursor(filter.cursor),
    ...toIds(filter),
    postedFrom: filter.postedFrom?.toISOString(),
    postedTo: filter.postedTo?.toISOString(),
    postedToId: filter.postedTo && firstIdAt(filter.postedTo.getTime()),
    types: filter.types ?? TRANSACTION_TYPES,
    statuses: filter.statuses ?? TRANSACTION_STATUSES,
  };
}
