import { ExportCsv } from "../client/export-csv.tsx";
import { LiveAccount } from "../client/live-account.tsx";
import { Letterhead } from "../ui/letterhead.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { toHref } from "../ui/pager.tsx";
import { toTimeZoneName } from "#lib/base/time-zone.ts";
import { ALL, isPrinted } from "./find-statement.ts";
import { Lines } from "./lines.tsx";
import { PeriodBar } from "./period-bar.tsx";
import { toPeriodQuery } from "./period-search.ts";
import { requireDays, toDaysTitle, toPeriodTitle } from "./period-title.ts";
import { PrintStatement } from "./print-statement.tsx";
import { Summary } from "./summary.tsx";
import type { FoundStatement, StatementSearch } from "./find-statement.ts";

/** A statement, with links to other periods, its file, and a print version. */
export function StatementView({
  found: { statement, page, now, businessName },
  search,
  title,
  path,
  exportPath,
}: {
  found: FoundStatement;
  search: StatementSearch;
  /** Whose statement it is. */
  title: string;
  /** The path of its page, and that of its file. */
  path: string;
  exportPath: string;
}) {
  const { period, timeZone, isFinal } = statement;
  const days = requireDays(period);
  const query = toPeriodQuery(search);
  const name = toPeriodTitle(period.unit, days);
  const range = toDaysTitle(days);
  const file = period.unit ? { [period.unit]: period.name } : query;
  return (
    <>
      {!isFinal && <LiveAccount />}
      <Letterhead businessName={businessName} title={`${name} · ${toTimeZoneName(timeZone)}`} />
      <PageHeader
        action={
          <div className="flex flex-wrap gap-2 print:hidden">
            <PrintStatement
              allHref={
                page.rows.length === statement.lines ? null : toHref(path, { ...query, print: ALL })
              }
              isLoaded={isPrinted(search)}
            />
            <ExportCsv href={toHref(exportPath, file)} isMain label="Download CSV" />
          </div>
        }
        description={name === range ? name : `${name} · ${range}`}
        title={title}
      />
      <PeriodBar
        days={days}
        hasEarlier={statement.earlierLines > 0}
        now={now}
        path={path}
        period={period}
        timeZone={timeZone}
      />
      <Summary now={now} statement={statement} />
      <Lines page={page} path={path} query={query} search={search} statement={statement} />
    </>
  );
}

/** The title of its page, which also names its PDF: `Float statement, October 2026`. */
export function toStatementTitle(title: string, { statement: { period } }: FoundStatement): string {
  return `${title}, ${toPeriodTitle(period.unit, requireDays(period))}`;
}
