import { readCells } from "#lib/base/cell.ts";
import { EXPORT_ROWS } from "#lib/api/export/csv.ts";
import type { CsvTable } from "#lib/api/export/csv.ts";
import { AUDIT_CELLS } from "#lib/record/audit-resource.ts";
import { toPeriodWords } from "#lib/api/export/internal/period-words.ts";
import { listAudit } from "#lib/record/audit.ts";
import type { AuditFilter } from "#lib/record/audit.ts";

/** The entries of the audit log that match a filter. */
export function toAuditTable(
  filter: Omit<AuditFilter, "limit" | "cursor">,
  timeZone: string,
): CsvTable {
  return {
    name: `audit-log${toPeriodWords(filter, timeZone)}`,
    columns: Object.keys(AUDIT_CELLS),
    readPage: async (ctx, cursor) => {
      const page = await listAudit(ctx, { ...filter, limit: EXPORT_ROWS, cursor });
      return {
        rows: page.rows.map((entry) => readCells(AUDIT_CELLS, entry)),
        nextCursor: page.nextCursor,
      };
    },
  };
}
