import { SegmentedLinks } from "../../ui/segmented-links.tsx";
import { toHref } from "../../ui/pager.tsx";
import type { Filter } from "./filter.ts";

const DAY_MS = 86_400_000;

const RANGES = [
  { name: "All time", days: null },
  { name: "Today", days: 1 },
  { name: "7 days", days: 7 },
  { name: "30 days", days: 30 },
] as const;

/** The usual ranges of days, up to now; the filters have any other. Days begin at midnight in UTC. */
export function DateRanges({ filter, path }: { filter: Filter; path: string }) {
  const links = RANGES.map(({ name, days }) => {
    const from = days === null ? undefined : toDay(days - 1);
    return {
      name,
      href: toHref(path, { ...filter, from, to: undefined }),
      isCurrent: filter.from === from && filter.to === undefined,
    };
  });
  return <SegmentedLinks label="Dates" links={links} />;
}

function toDay(daysAgo: number): string {
  return new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, "2026-01-31".length);
}
