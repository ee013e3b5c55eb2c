import { readCells } from "#lib/base/cell.ts";
import { EXPORT_ROWS } from "#lib/api/export/csv.ts";
import type { CsvTable } from "#lib/api/export/csv.ts";
import { BULK_RESULT_CELLS } from "#lib/bulk/bulk-resource.ts";
import type { ItemState } from "#lib/bulk/bulk-job.ts";
import { getBulkJob, listBulkResults } from "#lib/bulk/bulk-jobs.ts";
import { findCards } from "#lib/cards/card-reads.ts";

/**
 * The outcome for each card of a bulk job.
 * @param reader whose currency all of the account's cards share.
 */
export function toBulkResultsTable(
  jobId: string,
  states: readonly ItemState[] | undefined,
  { currency }: { currency: string },
): CsvTable {
  return {
    name: ["bulk-results", ...(states ?? [])].join("-"),
    columns: Object.keys(BULK_RESULT_CELLS),
    readPage: async (ctx, cursor) => {
      await getBulkJob(ctx, jobId);
      const page = await listBulkResults(ctx, jobId, { states, limit: EXPORT_ROWS, cursor });
      const ids = page.rows.map(({ cardId }) => cardId);
      const cards = await findCards(ctx.db, ctx.actor.integratorId, ids);
      const byId = new Map(cards.map((card) => [card.id, card]));
      return {
        rows: page.rows.map((item) =>
          readCells(BULK_RESULT_CELLS, { item, card: byId.get(item.cardId), currency }),
        ),
        nextCursor: page.nextCursor,
      };
    },
  };
}
