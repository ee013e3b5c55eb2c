import { readCells } from "#lib/base/cell.ts";
import { EXPORT_ROWS } from "#lib/api/export/csv.ts";
import type { CsvTable } from "#lib/api/export/csv.ts";
import { FLOAT_ENTRY_CELLS } from "#lib/funds/float-entry-resource.ts";
import { toPeriodWords } from "#lib/api/export/internal/period-words.ts";
import { findCards, listCards } from "#lib/cards/card-reads.ts";
import type { CardFilter } from "#lib/cards/card-filter.ts";
import { CARD_CELLS } from "#lib/cards/card-resource.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { listFloatEntries } from "#lib/funds/float-statement.ts";
import type { FloatFilter } from "#lib/funds/float-statement.ts";
import { toCategoryName } from "#lib/transactions/merchant-category.ts";
import { toNetAmount } from "#lib/transactions/net-amount.ts";
import { findCardsOfWords } from "#lib/transactions/searched-cards.ts";
import type { CardsOfWords } from "#lib/transactions/searched-cards.ts";
import {
  APPENDED_CELLS,
  TRANSACTION_CELLS,
  TRANSACTION_COLUMNS,
} from "#lib/transactions/transaction-resource.ts";
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
    columns: Object.keys(CARD_CELLS),
    readPage: async (ctx, cursor) => {
      const page = ids
        ? { rows: await findCards(ctx.db, ctx.actor.integratorId, ids), nextCursor: null }
        : await listCards(ctx, { ...filter, limit: EXPORT_ROWS, cursor });
      return {
        rows: page.rows.map((card) => readCells(CARD_CELLS, card)),
        nextCursor: page.nextCursor,
      };
    },
  };
}

/** The lines of the float's statement that match a filter. */
export function toFloatTable(filter: Omit<FloatFilter, "cursor">, timeZone: string): CsvTable {
  return {
    name: `float${toPeriodWords(filter, timeZone)}`,
    columns: Object.keys(FLOAT_ENTRY_CELLS),
    readPage: async (ctx, cursor) => {
      const page = await listFloatEntries(ctx, { ...filter, limit: EXPORT_ROWS, cursor });
      return {
        rows: page.rows.map((entry) => readCells(FLOAT_ENTRY_CELLS, entry)),
        nextCursor: page.nextCursor,
      };
    },
  };
}

/**
 * The transactions that match a filter. They do not add up to any period, because an authorization of one month may
 * post in another; a statement does.
 * @param mayReadCards whether the reader may see the cards' owners.
 */
export function toTransactionsTable(
  filter: Omit<TransactionFilter, "limit" | "cursor">,
  { timeZone, mayReadCards }: { timeZone: string; mayReadCards: boolean },
): CsvTable {
  let searchedCards: CardsOfWords | undefined;
  return {
    name: `transactions${toPeriodWords(filter, timeZone)}`,
    columns: TRANSACTION_COLUMNS,
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
        ...readCells(TRANSACTION_CELLS, transaction),
        ...toFinanceCells(transaction, cards.get(transaction.cardId)),
        ...readCells(APPENDED_CELLS, transaction),
      ];
      return { rows: page.rows.map(toCells), nextCursor: page.nextCursor };
    },
  };
}

/** The cells of `FINANCE_COLUMNS`. `net` is the change of the card's balance, on the day of posting. */
function toFinanceCells(transaction: Transaction, card: Card | undefined) {
  const { createdAt, settledAt, currency, merchant } = transaction;
  return [
    { dayOf: createdAt },
    settledAt,
    settledAt && { dayOf: settledAt },
    { amount: toNetAmount(transaction), currency },
    card?.cardName ?? null,
    card?.last4 ?? null,
    merchant?.mcc ? toCategoryName(merchant.mcc) : null,
  ];
}
