import { PageLinks } from "./page-links.tsx";
import type { Count } from "#lib/base/paging.ts";

/** Says where a page of a list ends among all matching rows, and links to the next and previous pages. */
export function Pager({
  hrefOf,
  cursor,
  nextCursor,
  range,
}: {
  /** The list's page after a cursor, or its first one. */
  hrefOf: (cursor: string | undefined) => string;
  /** Undefined on the first page. */
  cursor: string | undefined;
  /** Null on the last page. */
  nextCursor: string | null;
  /** How many rows this page shows, and how many there are from its first row on. Absent if counting is expensive. */
  range?: { shown: number; left: Count };
}) {
  const isFirst = cursor === undefined;
  if (isFirst && nextCursor === null && !range?.shown) {
    return null;
  }
  return (
    <nav aria-label="Pages" className="flex min-h-12 items-center justify-end gap-2 px-4 py-2">
      <span className="text-muted mr-auto text-xs">{range && toWords(range, isFirst)}</span>
      <PageLinks
        first={isFirst ? null : hrefOf(undefined)}
        here={hrefOf(cursor)}
        next={nextCursor === null ? null : hrefOf(nextCursor)}
      />
    </nav>
  );
}

function toWords({ shown, left }: { shown: number; left: Count }, isFirst: boolean): string {
  const rows = left.rows.toLocaleString("en-US");
  const all = left.isExact ? rows : `more than ${rows}`;
  return isFirst ? `${shown} of ${all}` : `${shown} of the remaining ${all}`;
}

/** A URL with these search parameters, without absent and empty ones. */
export function toHref(path: string, search: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(search).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "",
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
