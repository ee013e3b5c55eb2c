import { EXPORT_ROWS } from "#lib/api/export/csv.ts";
import type { CsvTable } from "#lib/api/export/csv.ts";
import { toPeriodWords } from "#lib/api/export/internal/period-words.ts";
import { findCards, listCards } from "#lib/cards/card-reads.ts";
import type { CardFilter } from "#lib/cards/card-filter.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { listFloatEntries } from "#lib/funds/float-statement.ts";
import type { FloatEntry, FloatFilter } from "#lib/funds/float-statement.ts";
import { toCategoryName } from "#lib/transactions/merchant-category.ts";
import { toNetAmount } from "#lib/transactions/net-amount.ts";
import { findCardsOfWords } from "#lib/transactions/searched-cards.ts";
import type { CardsOfWords } from "#lib/transactions/searched-cards.ts";
import { TRANSACTION_CELLS } from "#lib/transactions/transaction-resource.ts";
import { listTransactions } from "#lib/transactions/transactions.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import type { TransactionFilter } from "#lib/transactions/transaction-filter.ts";

/** Lists as spreadsheet tables: amounts in major units, exact times. */

/** The cards that match a filter or have one of the given ids. */
export function toCardsTable({
  ids,
  ...filter
}: Omit<CardFilter, "limit"> & { ids?: readonly string[] | undefined }): CsvTable {
  return {
    name: "cards",
    columns: [
      "id",
      "name",
      "last4",
      "status",
      "currency",
      "balance",
      "held",
      "available",
      "single_use",
      "expires_at",
      "created_at",
      "frozen_at",
      "freeze_reason",
      "user_id",
      "freeze_levels",
      "freeze_until",
    ],
    readPage: async (ctx, cursor) => {
      const page = ids
        ? { rows: await findCards(ctx.db, ctx.actor.integratorId, ids), nextCursor: null }
        : await listCards(ctx, { ...filter, limit: EXPORT_ROWS, cursor });
      return { rows: page.rows.map(toCardCells), nextCursor: page.nextCursor };
    },
  };
}

function toCardCells(card: Card) {
  return [
    card.id,
    card.cardName,
    card.last4,
    card.status,
    card.currency,
    { amount: card.balance, currency: card.currency },
    { amount: card.held, currency: card.currency },
    { amount: card.available, currency: card.currency },
    String(card.singleUse),
    card.expiresAt,
    card.createdAt,
    card.freeze?.frozenAt ?? null,
    card.freeze?.reason ?? null,
    card.cardholderId,
    card.freezes.map(({ level }) => level).join(" "),
    card.freeze?.until ?? null,
  ];
}

/** The lines of the float's statement that match a filter. */
export function toFloatTable(filter: Omit<FloatFilter, "cursor">, timeZone: string): CsvTable {
  return {
    name: `float${toPeriodWords(filter, timeZone)}`,
    columns: [
      "version",
      "kind",
      "amount",
      "balance_after",
      "currency",
      "card_id",
      "transfer_id",
      "request_id",
      "created_at",
      "narrative",
    ],
    readPage: async (ctx, cursor) => {
      const page = await listFloatEntries(ctx, { ...filter, limit: EXPORT_ROWS, cursor });
      return { rows: page.rows.map(toFloatCells), nextCursor: page.nextCursor };
    },
  };
}

function toFloatCells(entry: FloatEntry) {
  return [
    entry.version,
    entry.kind,
    { amount: entry.amount, currency: entry.currency },
    { amount: entry.balanceAfter, currency: entry.currency },
    entry.currency,
    entry.cardId,
    entry.transferId,
    entry.requestId,
    entry.createdAt,
    entry.narrative,
  ];
}

/**
 * The transactions that match a filter. An authorization of one month may post in another, so their sum is that of no
 * period: a statement's is.
 * @param mayReadCards whether the reader may see whose the cards are.
 */
export function toTransactionsTable(
  filter: Omit<TransactionFilter, "limit" | "cursor">,
  { timeZone, mayReadCards }: { timeZone: string; mayReadCards: boolean },
): CsvTable {
  let searchedCards: CardsOfWords | undefined;
  return {
    name: `transactions${toPeriodWords(filter, timeZone)}`,
    columns: [...Object.keys(TRANSACTION_CELLS), ...FINANCE_COLUMNS],
    readPage: async (ctx, cursor) => {
      searchedCards ??= mayReadCards
        ? await findCardsOfWords((read) => read(ctx), filter.search)
        : undefined;
      const wanted = { ...filter, searchedCards, limit: EXPORT_ROWS, cursor };
      const page = await listTransactions(ctx, wanted);
      const ids = mayReadCards ? page.rows.map(({ cardId }) => cardId) : [];
      const found = await findCards(ctx.db, ctx.actor.integratorId, ids);
      const cards = new Map(found.map((card) => [card.id, card]));
      const toCells = (transaction: Transaction) => [
        ...toTransactionCells(transaction),
        ...toFinanceCells(transaction, cards.get(transaction.cardId)),
      ];
      return { rows: page.rows.map(toCells), nextCursor: page.nextCursor };
    },
  };
}

function toTransactionCells(transaction: Transaction) {
  return Object.values(TRANSACTION_CELLS).map((toCell) => toCell(transaction));
}

const FINANCE_COLUMNS = [
  "created_date",
  "posted_at",
  "posted_date",
  "net",
  "holder",
  "last4",
  "category_name",
  "occurred_at",
];

/** What finance adds up and looks for. `net` is what moved the card's balance, on the day that it posted. */
function toFinanceCells(transaction: Transaction, card: Card | undefined) {
  const { createdAt, settledAt, occurredAt, currency, merchant } = transaction;
  return [
    { dayOf: createdAt },
    settledAt,
    settledAt && { dayOf: settledAt },
    { amount: toNetAmount(transaction), currency },
    card?.cardName ?? null,
    card?.last4 ?? null,
    merchant?.mcc ? toCategoryName(merchant.mcc) : null,
    occurredAt,
  ];
}
