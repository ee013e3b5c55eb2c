import { toListHref } from "./list.ts";
import type { AskedList } from "./list.ts";
import { Pager } from "../ui/pager.tsx";
import type { Count, Page } from "#lib/base/paging.ts";

/** Where a page is among those of its list, with links to the others. */
export function ListPager({
  asked,
  page: { rows, nextCursor },
  left,
}: {
  asked: AskedList;
  page: Page<unknown>;
  left?: Count | undefined;
}) {
  return (
    <Pager
      cursor={asked.cursor}
      hrefOf={(cursor) => toListHref(asked, { cursor })}
      nextCursor={nextCursor}
      {...(left && { range: { shown: rows.length, left } })}
    />
  );
}
