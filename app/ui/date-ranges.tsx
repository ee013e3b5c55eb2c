import { toDayAgo } from "./day-range.ts";
import type { DayRange } from "./day-range.ts";
import { SegmentedLinks } from "./segmented-links.tsx";
import { toHref } from "./pager.tsx";

const RANGES = [
  { name: "All time", days: null },
  { name: "Today", days: 1 },
  { name: "7 days", days: 7 },
  { name: "30 days", days: 30 },
] as const;

/**
 * The usual ranges of days, up to now, each a link to the list with its other filters. The filter dialog offers any
 * range.
 */
export function DateRanges({
  filter,
  path,
  timeZone,
}: {
  filter: DayRange;
  path: string;
  timeZone: string;
}) {
  const links = RANGES.map(({ name, days }) => {
    const from = days === null ? undefined : toDayAgo(days - 1, timeZone);
    return {
      name,
      href: toHref(path, { ...filter, from, to: undefined }),
      isCurrent: filter.from === from && filter.to === undefined,
    };
  });
  return <SegmentedLinks label="Dates" links={links} />;
}
