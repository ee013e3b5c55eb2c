import { Empty } from "../../ui/empty.tsx";
import { Link } from "../../ui/link.tsx";
import { toHref } from "../../ui/pager.tsx";
import { Panel } from "../../ui/panel.tsx";
import { ShareBar } from "../../ui/share-bar.tsx";
import type { Days } from "#lib/base/calendar-period.ts";
import type { DeclineCount } from "#lib/overview/declines.ts";
import { DECLINE_REASON_NAMES } from "#lib/transactions/decline-rules.ts";

/** The reasons for declined requests. Each row links to its transactions. */
export function DeclinesPanel({
  declines,
  days: { first: from, last: to },
}: {
  declines: readonly DeclineCount[];
  days: Days;
}) {
  const all = declines.reduce((sofar, { count }) => sofar + count, 0);
  if (all === 0) {
    return (
      <Panel title="Declines">
        <Empty title="Nothing was declined">No request was declined in this period.</Empty>
      </Panel>
    );
  }
  return (
    <Panel
      action={
        <Link
          className="underlined-link"
          href={toHref("/transactions", { status: "declined", from, to })}
        >
          {`${all.toLocaleString("en-US")} declined`}
        </Link>
      }
      flush
      title="Declines"
    >
      <ul className="py-1">
        {declines.map(({ reason, count }) => (
          <li key={reason}>
            <Link
              className="hover:bg-default flex flex-col gap-1 px-4 py-2"
              href={toHref("/transactions", { decline_reason: reason, from, to })}
            >
              <span className="flex items-baseline justify-between gap-4 font-medium">
                <span className="min-w-0">{DECLINE_REASON_NAMES[reason]}</span>
                <span className="tabular-nums">{count.toLocaleString("en-US")}</span>
              </span>
              <ShareBar share={count / all} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
