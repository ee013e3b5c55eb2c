import { EXPORT_ROWS } from "#lib/api/export/csv.ts";
import type { CsvTable } from "#lib/api/export/csv.ts";
import { toPeriodWords } from "#lib/api/export/internal/period-words.ts";
import { listAudit } from "#lib/record/audit.ts";
import type { AuditEntry, AuditFilter } from "#lib/record/audit.ts";

/** The entries of the audit log that match a filter. */
export function toAuditTable(
  filter: Omit<AuditFilter, "limit" | "cursor">,
  timeZone: string,
): CsvTable {
  return {
    name: `audit-log${toPeriodWords(filter, timeZone)}`,
    columns: [
      "id",
      "created_at",
      "action",
      "actor_type",
      "actor_id",
      "actor_name",
      "target_type",
      "target_id",
      "before",
      "after",
      "address",
      "agent",
      "request_id",
    ],
    readPage: async (ctx, cursor) => {
      const page = await listAudit(ctx, { ...filter, limit: EXPORT_ROWS, cursor });
      return { rows: page.rows.map(toCells), nextCursor: page.nextCursor };
    },
  };
}

function toCells({ actor, before, after, ...entry }: AuditEntry) {
  return [
    entry.id,
    entry.createdAt,
    entry.action,
    actor.type,
    actor.id,
    actor.name,
    entry.targetType,
    entry.targetId,
    before && JSON.stringify(before),
    after && JSON.stringify(after),
    entry.address,
    entry.agent,
    entry.requestId,
  ];
}
