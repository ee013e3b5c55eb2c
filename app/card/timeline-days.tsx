import type { Elements } from "../ui/elements.ts";
import { toDate } from "../ui/time-format.ts";
import type { TimelineEntry } from "#lib/transactions/card-activity.ts";

/** The entries of a timeline, below the days on which they happened. */
export function TimelineDays({
  entries,
  timeZone,
  children: toLine,
}: {
  entries: readonly TimelineEntry[];
  /** Decides where a day begins. */
  timeZone: string;
  children: (entry: TimelineEntry) => Elements;
}) {
  const days = Map.groupBy(entries, ({ createdAt }) => toDate(createdAt, timeZone));
  return [...days].map(([day, happened]) => (
    <section aria-label={day} key={day}>
      <h3 className="text-muted bg-default/40 border-separator border-y px-4 py-1 text-xs font-medium">
        {day}
      </h3>
      <ol className="divide-separator divide-y">{happened.map(toLine)}</ol>
    </section>
  ));
}
