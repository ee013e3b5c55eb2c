import { ListBar } from "./list-bar.tsx";
import { ListNotes } from "./list-notes.tsx";
import { ListPager } from "./list-pager.tsx";
import { ListViews } from "./list-views.tsx";
import { LIST_ROWS, toFilters } from "./list.ts";
import type { Names } from "./field.ts";
import type { ListQuery } from "./list.ts";
import { ExportCsv } from "../client/export-csv.tsx";
import { toQuery } from "../ui/day-range.ts";
import type { Elements } from "../ui/elements.ts";
import { toHref } from "../ui/pager.tsx";
import type { Count, Page } from "#lib/base/paging.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

const NO_NAMES: Names = {};

/** A page of a list, with its filters above it and its other pages below. */
export function ListPanel({
  label,
  title,
  action,
  listQuery,
  page,
  left,
  names = NO_NAMES,
  session,
  children,
}: {
  label: string;
  /** The list's heading, if the page has other parts. */
  title?: string;
  action?: Elements;
  listQuery: ListQuery;
  page: Page<unknown>;
  /** The number of rows from this page on; absent if counting is expensive. */
  left?: Count;
  names?: Names;
  session: StaffSession;
  /** Its rows. */
  children: Elements;
}) {
  const { exportPath } = listQuery.list;
  const { currency, timeZone } = session;
  return (
    <section
      aria-label={label}
      className="panel border-border bg-surface min-w-0 overflow-clip rounded-lg border"
    >
      <ListViews listQuery={listQuery} session={session} />
      <div className="flex min-h-14 flex-wrap items-center gap-2 px-4 py-2">
        {title && <h2 className="me-2 font-medium max-sm:w-full">{title}</h2>}
        <ListBar listQuery={listQuery} currency={currency} names={names} />
        {action}
        {exportPath && (
          <ExportCsv href={toHref(exportPath, toQuery(toFilters(listQuery), timeZone))} />
        )}
      </div>
      <ListNotes listQuery={listQuery} currency={currency} names={names} />
      {children}
      <SearchedSoFar noun={listQuery.list.noun} page={page} />
      <ListPager listQuery={listQuery} left={left} page={page} />
    </section>
  );
}

/** Shown below an incomplete page when more rows may exist: a search stops before it takes too long. */
function SearchedSoFar({ noun, page }: { noun: string; page: Page<unknown> }) {
  const { length } = page.rows;
  return (
    page.nextCursor !== null &&
    length > 0 &&
    length < LIST_ROWS && (
      <p className="text-muted border-separator border-t px-4 py-2 text-xs" role="status">
        {`Not everything has been searched yet. The next page looks through older ${noun}.`}
      </p>
    )
  );
}
