import { moneyCell } from "#lib/base/cell.ts";
import type { Cells } from "#lib/base/cell.ts";
import type { Page } from "#lib/base/paging.ts";
import type { Statement, StatementLine } from "#lib/statements/statement.ts";

/** A statement with a page of its lines, as the API returns it. */
export function toStatementResource({
  statement,
  page,
}: {
  statement: Statement;
  page: Page<StatementLine>;
}) {
  const { account, period } = statement;
  return {
    data: page.rows.map(toLineResource),
    next_cursor: page.nextCursor,
    statement: {
      account: account.kind,
      card_id: account.kind === "card" ? account.id : null,
      period: period.name,
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      time_zone: statement.timeZone,
      final: statement.isFinal,
      currency: account.currency,
      opening_balance: statement.opening,
      totals: statement.totals,
      closing_balance: statement.closing,
      lines: statement.lines,
    },
  };
}

function toLineResource(line: StatementLine) {
  return {
    version: line.version,
    posted_at: line.postedAt.toISOString(),
    kind: line.kind,
    description: line.description,
    net: line.net,
    balance_after: line.balanceAfter,
    currency: line.currency,
    card_id: line.card?.id ?? null,
    last4: line.card?.last4 ?? null,
    transaction_id: line.transactionId,
    narrative: line.narrative,
    transfer_id: line.transferId,
    request_id: line.requestId,
    occurred_at: line.occurredAt?.toISOString() ?? null,
  };
}

/** The columns of a spreadsheet of a statement's lines. A new one goes to the end. */
export const STATEMENT_CELLS: Cells<StatementLine> = {
  version: (line) => line.version,
  posted_date: (line) => ({ dayOf: line.postedAt }),
  description: (line) => line.description,
  net: (line) => moneyCell(line.net, line.currency),
  balance_after: (line) => moneyCell(line.balanceAfter, line.currency),
  currency: (line) => line.currency,
  posted_at: (line) => line.postedAt,
  kind: (line) => line.kind,
  last4: (line) => line.card?.last4 ?? null,
  merchant_name: (line) => line.merchant?.name ?? null,
  narrative: (line) => line.narrative,
  card_id: (line) => line.card?.id ?? null,
  transaction_id: (line) => line.transactionId,
  transfer_id: (line) => line.transferId,
  request_id: (line) => line.requestId,
  occurred_at: (line) => line.occurredAt,
};
