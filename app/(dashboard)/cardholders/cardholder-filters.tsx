import { SegmentedLinks } from "../../ui/segmented-links.tsx";
import { toHref } from "../../ui/pager.tsx";
import { SearchFilter } from "../../ui/search-filter.tsx";

const PATH = "/cardholders";

/** Which cardholders the list shows: by default, those who can get cards. */
export const SHOWN = [
  { id: undefined, name: "Active", archived: false },
  { id: "archived", name: "Archived", archived: true },
  { id: "all", name: "All", archived: undefined },
] as const;

/** Search and filters, kept in the URL. */
export function CardholderFilters({
  search,
  show,
}: {
  search: string | undefined;
  show: (typeof SHOWN)[number]["id"];
}) {
  return (
    <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2 max-sm:basis-full">
      <SearchFilter
        className="w-full sm:w-64"
        label="Search cardholders"
        name="search"
        placeholder="Name or email"
      />
      <SegmentedLinks
        label="Show"
        links={SHOWN.map(({ id, name }) => ({
          href: toHref(PATH, { search, show: id }),
          isCurrent: show === id,
          name,
        }))}
      />
    </div>
  );
}
