import { readCells } from "#lib/base/cell.ts";
import { EXPORT_ROWS } from "#lib/api/export/csv.ts";
import type { CsvTable } from "#lib/api/export/csv.ts";
import { STATEMENT_CELLS } from "#lib/statements/statement-resource.ts";
import { toPeriod } from "#lib/statements/period.ts";
import { listStatementLines } from "#lib/statements/statement.ts";
import type { StatementQuery } from "#lib/statements/statement.ts";

/**
 * The lines of a statement, oldest first. The sum of `net` is the statement's closing balance minus its opening one.
 * @param at when the statement is requested, and the time zone of its days: the current month must not change between
 * two pages.
 */
export function toStatementTable(
  { cardId, period }: StatementQuery,
  at: { timeZone: string; now: Date },
): CsvTable {
  const { name, days } = toPeriod(period, at);
  const query = { cardId, period: days ? { from: days.first, to: days.last } : period };
  return {
    name: `${cardId === null ? "float" : `card-${cardId}`}-statement-${name}`,
    columns: Object.keys(STATEMENT_CELLS),
    readPage: async (ctx, cursor) => {
      const page = await listStatementLines(ctx, { ...query, limit: EXPORT_ROWS, cursor });
      return {
        rows: page.rows.map((line) => readCells(STATEMENT_CELLS, line)),
        nextCursor: page.nextCursor,
      };
    },
  };
}
