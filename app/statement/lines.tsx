import { Empty } from "../ui/empty.tsx";
import { IgnoredFilters } from "../ui/ignored-filters.tsx";
import { Pager, toHref } from "../ui/pager.tsx";
import { Panel } from "../ui/panel.tsx";
import { toPosition } from "../ui/search-params.ts";
import { toMinute } from "../ui/time-format.ts";
import { LinesTable } from "./lines-table.tsx";
import type { LineRow } from "./lines-table.tsx";
import type { StatementSearch } from "./find-statement.ts";
import { PERIOD_MEMBERS } from "./period-search.ts";
import type { Page } from "#lib/base/paging.ts";
import type { Statement, StatementLine } from "#lib/statements/statement.ts";

const UNUSED = Object.fromEntries(PERIOD_MEMBERS.map((name) => [name, undefined]));

/** A page of a statement's lines, and its position among them. */
export function Lines({
  statement,
  page,
  path,
  query,
  search,
}: {
  statement: Statement;
  page: Page<StatementLine>;
  path: string;
  /** The period, as members of the URL. */
  query: Readonly<Record<string, string | undefined>>;
  /** The members of the URL, as they were given. */
  search: StatementSearch;
}) {
  const { account, timeZone, lines, earlierLines } = statement;
  const first = (page.rows[0]?.version ?? 0) - earlierLines;
  const range = `${toCount(first)} to ${toCount(first + page.rows.length - 1)}`;
  const isWhole = page.rows.length === lines;
  return (
    <Panel flush title="Lines">
      <IgnoredFilters given={search} used={{ ...UNUSED, ...query }} />
      <LinesTable
        empty={<Empty title="Nothing posted">The balance did not change in this period.</Empty>}
        hasCards={account.kind === "float"}
        lines={page.rows.map((line) => toRow(line, timeZone))}
      />
      {!isWhole && page.rows.length > 0 && (
        <p className="text-muted px-4 pt-2 text-xs">
          {`Lines ${range} of ${toCount(lines)}, oldest first. The CSV file has all of them.`}
        </p>
      )}
      <div className="print:hidden">
        <Pager
          cursor={toPosition(search.cursor)}
          hrefOf={(cursor) => toHref(path, { ...query, cursor })}
          nextCursor={page.nextCursor}
        />
      </div>
    </Panel>
  );
}

function toCount(lines: number): string {
  return lines.toLocaleString("en-US");
}

function toRow(line: StatementLine, timeZone: string): LineRow {
  const { version, description, narrative, card, transactionId, postedAt, occurredAt } = line;
  return {
    version,
    description,
    narrative,
    card,
    transactionId,
    at: postedAt.toISOString(),
    day: toMinute(postedAt, timeZone),
    occurred: occurredAt && { at: occurredAt.toISOString(), day: toMinute(occurredAt, timeZone) },
    net: line.net,
    balanceAfter: line.balanceAfter,
    currency: line.currency,
  };
}
