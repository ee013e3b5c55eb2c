import { toDayAgo } from "../ui/day-range.ts";
import type { DayRange } from "../ui/day-range.ts";
import { SegmentedLinks } from "../ui/segmented-links.tsx";
import { toDays } from "#lib/base/calendar-period.ts";
import { addDays } from "#lib/base/time-zone.ts";

/** The usual ranges of days, each a link to the list with its other filters. The filter dialog offers any range. */
export function DateRanges({
  range,
  hrefOf,
  timeZone,
}: {
  range: DayRange;
  hrefOf: (days: { from: string | undefined; to: string | undefined }) => string;
  timeZone: string;
}) {
  const links = toRanges(timeZone).map(({ name, from, to }) => ({
    name,
    href: hrefOf({ from, to }),
    isCurrent: range.from === from && range.to === to,
  }));
  return <SegmentedLinks label="Dates" links={links} />;
}

function toRanges(timeZone: string): readonly ({ name: string } & DayRange)[] {
  const today = toDayAgo(0, timeZone);
  const month = toDays("month", today.slice(0, 7));
  const lastMonth = month && toDays("month", addDays(month.first, -1).slice(0, 7));
  return [
    { name: "All time" },
    { name: "Today", from: today },
    { name: "7 days", from: toDayAgo(6, timeZone) },
    { name: "30 days", from: toDayAgo(29, timeZone) },
    { name: "This month", from: month?.first, to: month?.last },
    { name: "Last month", from: lastMonth?.first, to: lastMonth?.last },
  ];
}
