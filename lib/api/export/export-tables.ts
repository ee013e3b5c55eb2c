import { EXPORT_ROWS } from "#lib/api/export/csv.ts";
import type { CsvTable } from "#lib/api/export/csv.ts";
import { toDecimal } from "#lib/base/money.ts";
import type { BulkItem, ItemState } from "#lib/bulk/bulk-job.ts";
import { getBulkJob, listBulkResults } from "#lib/bulk/bulk-jobs.ts";
import { findCards, listCards } from "#lib/cards/card-reads.ts";
import type { CardFilter } from "#lib/cards/card-filter.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { listFloatEntries } from "#lib/funds/float-statement.ts";
import type { FloatEntry, FloatFilter } from "#lib/funds/float-statement.ts";
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
    toDecimal(card.balance, card.currency),
    toDecimal(card.held, card.currency),
    toDecimal(card.available, card.currency),
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

/** What became of the cards of a bulk job. */
export function toBulkResultsTable(
  jobId: string,
  states: readonly ItemState[] | undefined,
): CsvTable {
  return {
    columns: ["card_id", "name", "last4", "amount", "currency", "state", "code", "detail"],
    readPage: async (ctx, cursor) => {
      await getBulkJob(ctx, jobId);
      const page = await listBulkResults(ctx, jobId, { states, limit: EXPORT_ROWS, cursor });
      const cards = await findCards(
        ctx.db,
        ctx.actor.integratorId,
        page.rows.map(({ cardId }) => cardId),
      );
      const byId = new Map(cards.map((card) => [card.id, card]));
      return {
        rows: page.rows.map((item) => toBulkResultCells(item, byId.get(item.cardId))),
        nextCursor: page.nextCursor,
      };
    },
  };
}

/** A card that does not exist has neither name nor currency. */
function toBulkResultCells(item: BulkItem, card: Card | undefined) {
  return [
    item.cardId,
    card?.cardName ?? null,
    card?.last4 ?? null,
    card && item.amount !== null ? toDecimal(item.amount, card.currency) : null,
    card?.currency ?? null,
    item.state,
    item.code,
    item.detail,
  ];
}

/** The lines of the float's statement that match a filter. */
export function toFloatTable(filter: Omit<FloatFilter, "cursor">): CsvTable {
  return {
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
    toDecimal(entry.amount, entry.currency),
    toDecimal(entry.balanceAfter, entry.currency),
    entry.currency,
    entry.cardId,
    entry.transferId,
    entry.requestId,
    entry.createdAt,
    entry.narrative,
  ];
}

/** The transactions that match a filter. */
export function toTransactionsTable(filter: Omit<TransactionFilter, "limit" | "cursor">): CsvTable {
  return {
    columns: [
      "id",
      "created_at",
      "settled_at",
      "type",
      "status",
      "amount",
      "currency",
      "card_balance_before",
      "card_balance_after",
      "narrative",
      "merchant_name",
      "merchant_mcc",
      "merchant_city",
      "merchant_country",
      "decline_reason",
      "decline_explanation",
      "hold_amount",
      "hold_captured",
      "hold_released",
      "hold_expires_at",
      "refunded",
      "card_id",
      "authorization_id",
      "refund_of",
      "actor_type",
      "actor_name",
      "request_id",
      "requested_amount",
      "merchant_amount",
      "merchant_currency",
      "posted_as",
      "covered_float",
      "covered_deficit",
      "cover_of",
      "refund_exceeds",
    ],
    readPage: async (ctx, cursor) => {
      const page = await listTransactions(ctx, { ...filter, limit: EXPORT_ROWS, cursor });
      return { rows: page.rows.map(toTransactionCells), nextCursor: page.nextCursor };
    },
  };
}

function toTransactionCells(transaction: Transaction) {
  const { currency, merchant } = transaction;
  const money = (amount: number | null) => (amount === null ? null : toDecimal(amount, currency));
  return [
    transaction.id,
    transaction.createdAt,
    transaction.settledAt,
    transaction.type,
    transaction.status,
    money(transaction.amount),
    currency,
    money(transaction.cardBalanceBefore),
    money(transaction.cardBalanceAfter),
    transaction.narrative,
    merchant?.name ?? null,
    merchant?.mcc ?? null,
    merchant?.city ?? null,
    merchant?.country ?? null,
    transaction.declineReason,
    transaction.declineExplanation,
    money(transaction.holdAmount),
    money(transaction.holdCaptured),
    money(transaction.holdReleased),
    transaction.holdExpiresAt,
    money(transaction.refunded),
    transaction.cardId,
    transaction.authorizationId,
    transaction.refundOf,
    transaction.actor.type,
    transaction.actor.name,
    transaction.requestId,
    money(transaction.requestedAmount),
    ...toChargedCells(transaction),
    transaction.postedAs,
    money(transaction.coveredFloat),
    money(transaction.coveredDeficit),
    transaction.coverOf,
    transaction.refundExceeds === null ? null : String(transaction.refundExceeds),
  ];
}

function toChargedCells({ merchantAmount: amount, merchantCurrency: currency }: Transaction) {
  return amount === null || currency === null
    ? [null, null]
    : [toDecimal(amount, currency), currency];
}
