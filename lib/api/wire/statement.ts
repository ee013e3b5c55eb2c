import type { Page } from "#lib/base/paging.ts";
import type { Statement, StatementLine } from "#lib/statements/statement.ts";

/** A statement with a page of its lines, as the API answers it. */
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
