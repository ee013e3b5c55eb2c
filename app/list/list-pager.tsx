import { toListHref } from "./list.ts";
import type { ListQuery } from "./list.ts";
import { Pager } from "../ui/pager.tsx";
import type { Count, Page } from "#lib/base/paging.ts";

/** The position of a page in its list, with links to the other pages. */
export function ListPager({
  listQuery,
  page: { rows, nextCursor },
  left,
}: {
  listQuery: ListQuery;
  page: Page<unknown>;
  left?: Count | undefined;
}) {
  return (
    <Pager
      cursor={listQuery.cursor}
      hrefOf={(cursor) => toListHref(listQuery, { cursor })}
      nextCursor={nextCursor}
      {...(left && { range: { shown: rows.length, left } })}
    />
  );
}
