import { EXPORT_ROWS, toDecimal } from "#lib/api/csv.ts";
import type { CsvTable } from "#lib/api/csv.ts";
import { findCards, listCards } from "#lib/card-reads.ts";
import type { CardFilter } from "#lib/card-reads.ts";
import type { Card } from "#lib/card-resource.ts";
import type { ReadContext } from "#lib/context.ts";
import { listFloatEntries } from "#lib/float.ts";
import type { FloatEntry } from "#lib/float.ts";

/** Lists as tables for a spreadsheet: amounts in major units, times exact. */

/** Cards, those of a filter or those with the given ids. */
export function toCardsTable(
  ctx: ReadContext,
  { ids, ...filter }: Omit<CardFilter, "limit"> & { ids?: readonly string[] | undefined },
): CsvTable {
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
    ],
    readPage: async (cursor) => {
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
  ];
}

/** The float's statement. */
export function toFloatTable(ctx: ReadContext): CsvTable {
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
    ],
    readPage: async (cursor) => {
      const page = await listFloatEntries(ctx, { limit: EXPORT_ROWS, cursor });
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
  ];
}
