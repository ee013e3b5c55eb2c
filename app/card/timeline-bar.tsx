import { Link } from "../ui/link.tsx";
import { SegmentedLinks } from "../ui/segmented-links.tsx";
import { toTimelineHref } from "./timeline-place.ts";
import type { TimelinePlace } from "./timeline-place.ts";

const FILTERS = [
  { name: "All", type: undefined },
  { name: "Money", type: "transaction" },
  { name: "Status", type: "state_change" },
  { name: "Notes", type: "note" },
  { name: "Refused", type: "refused_attempt" },
] as const;

/** What the timeline shows: entries of every type or of one, with or without their request IDs. */
export function TimelineBar({ cardId, place }: { cardId: string; place: TimelinePlace }) {
  const { type: shown, showsRequests } = place;
  return (
    <div className="border-separator flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b px-4 py-2 print:hidden">
      <SegmentedLinks
        label="Timeline"
        links={FILTERS.map(({ name, type }) => ({
          name,
          href: toTimelineHref(cardId, { ...place, type, before: undefined }),
          isCurrent: type === shown,
        }))}
      />
      <Link
        className="underlined-link text-xs"
        href={toTimelineHref(cardId, { ...place, showsRequests: !showsRequests })}
        scroll={false}
      >
        <span>{showsRequests ? "Hide request IDs" : "Show request IDs"}</span>
      </Link>
    </div>
  );
}
