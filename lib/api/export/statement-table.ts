import { EXPORT_ROWS } from "#lib/api/export/csv.ts";
import type { CsvTable } from "#lib/api/export/csv.ts";
import { toPeriod } from "#lib/statements/period.ts";
import { listStatementLines } from "#lib/statements/statement.ts";
import type { StatementLine, StatementQuery } from "#lib/statements/statement.ts";

/**
 * The lines of a statement, oldest first. The sum of `net` is the statement's closing balance minus its opening one.
 * @param at when it is asked for, and in whose days: which month is the current one must not change between two pages.
 */
export function toStatementTable(
  { cardId, period }: StatementQuery,
  at: { timeZone: string; now: Date },
): CsvTable {
  const { name, days } = toPeriod(period, at);
  const query = { cardId, period: days ? { from: days.first, to: days.last } : period };
  return {
    name: `${cardId === null ? "float" : `card-${cardId}`}-statement-${name}`,
    columns: [
      "version",
      "posted_date",
      "description",
      "net",
      "balance_after",
      "currency",
      "posted_at",
      "kind",
      "last4",
      "merchant_name",
      "narrative",
      "card_id",
      "transaction_id",
      "transfer_id",
      "request_id",
      "occurred_at",
    ],
    readPage: async (ctx, cursor) => {
      const page = await listStatementLines(ctx, { ...query, limit: EXPORT_ROWS, cursor });
      return { rows: page.rows.map(toCells), nextCursor: page.nextCursor };
    },
  };
}

function toCells(line: StatementLine) {
  const { currency } = line;
  return [
    line.version,
    { dayOf: line.postedAt },
    line.description,
    { amount: line.net, currency },
    { amount: line.balanceAfter, currency },
    currency,
    line.postedAt,
    line.kind,
    line.card?.last4 ?? null,
    line.merchant?.name ?? null,
    line.narrative,
    line.card?.id ?? null,
    line.transactionId,
    line.transferId,
    line.requestId,
    line.occurredAt,
  ];
}
