import { EXPORT_ROWS } from "#lib/api/export/csv.ts";
import type { CsvTable } from "#lib/api/export/csv.ts";
import type { BulkItem, ItemState } from "#lib/bulk/bulk-job.ts";
import { getBulkJob, listBulkResults } from "#lib/bulk/bulk-jobs.ts";
import { findCards } from "#lib/cards/card-reads.ts";
import type { Card } from "#lib/cards/card-resource.ts";

/**
 * What became of the cards of a bulk job.
 * @param reader whose currency is that of all the account's cards.
 */
export function toBulkResultsTable(
  jobId: string,
  states: readonly ItemState[] | undefined,
  { currency }: { currency: string },
): CsvTable {
  return {
    name: ["bulk-results", ...(states ?? [])].join("-"),
    columns: ["card_id", "name", "last4", "amount", "currency", "state", "code", "detail", "level"],
    readPage: async (ctx, cursor) => {
      await getBulkJob(ctx, jobId);
      const page = await listBulkResults(ctx, jobId, { states, limit: EXPORT_ROWS, cursor });
      const ids = page.rows.map(({ cardId }) => cardId);
      const cards = await findCards(ctx.db, ctx.actor.integratorId, ids);
      const byId = new Map(cards.map((card) => [card.id, card]));
      return {
        rows: page.rows.map((item) => toCells(item, byId.get(item.cardId), currency)),
        nextCursor: page.nextCursor,
      };
    },
  };
}

/** A card that does not exist has no name. */
function toCells(
  { cardId, amount, level, state, code, detail }: BulkItem,
  card: Card | undefined,
  currency: string,
) {
  return [
    cardId,
    card?.cardName ?? null,
    card?.last4 ?? null,
    amount === null ? null : { amount, currency },
    currency,
    state,
    code,
    detail,
    level,
  ];
}
