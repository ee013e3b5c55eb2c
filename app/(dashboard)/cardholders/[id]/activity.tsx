import { Link } from "../../../ui/link.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { SegmentedLinks } from "../../../ui/segmented-links.tsx";
import { Pager, toHref } from "../../../ui/pager.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { ClockText } from "../../../ui/time-text.tsx";
import { TimelineDays } from "../../../card/timeline-days.tsx";
import { isMoney, toLook, Words } from "../../../card/timeline.tsx";
import { toTransactionLook, TransactionHeading } from "../../../card/timeline-transaction.tsx";
import type { Page } from "#lib/base/paging.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import type { TimelineEntry as Entry } from "#lib/transactions/card-activity.ts";

/** The activity of all of a cardholder's cards, newest first, or only their freezes. */
export function Activity({
  activity,
  cards,
  cardholderId,
  place,
  timeZone,
}: {
  activity: Page<Entry>;
  cards: readonly Card[];
  cardholderId: string;
  timeZone: string;
  place: { freezesOnly: boolean; before: string | undefined };
}) {
  const path = `/cardholders/${cardholderId}`;
  const shown = place.freezesOnly ? "freezes" : undefined;
  const byId = new Map(cards.map((card) => [card.id, card]));
  return (
    <Panel
      action={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <Link
            className="underlined-link"
            href={toHref("/settings/audit-log", { target_id: cardholderId })}
          >
            Audit log
          </Link>
          <SegmentedLinks
            label="Activity"
            links={[
              { name: "All", href: path, isCurrent: !place.freezesOnly },
              {
                name: "Freezes",
                href: toHref(path, { activity: "freezes" }),
                isCurrent: place.freezesOnly,
              },
            ]}
          />
        </div>
      }
      flush
      title="Activity"
    >
      {activity.rows.length === 0 ? (
        <Empty title={place.freezesOnly ? "No freezes" : "No activity yet"}>
          {place.freezesOnly
            ? "None of this cardholder's cards has been frozen."
            : "Purchases, fund movements, freezes, and notes on this cardholder's cards appear here."}
        </Empty>
      ) : (
        <TimelineDays entries={activity.rows} timeZone={timeZone}>
          {(entry) => <Line card={byId.get(entry.cardId)} entry={entry} key={entry.id} />}
        </TimelineDays>
      )}
      <Pager
        cursor={place.before}
        hrefOf={(before) => toHref(path, { activity: shown, before })}
        nextCursor={activity.nextCursor}
      />
    </Panel>
  );
}

function Line({ entry, card }: { entry: Entry; card: Card | undefined }) {
  const { icon: Icon, tone } = isMoney(entry) ? toTransactionLook(entry) : toLook(entry);
  return (
    <li className="flex gap-3 px-4 py-2.5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${tone}`} />
      <div className="min-w-0 flex-1">
        {isMoney(entry) ? <TransactionHeading entry={entry} /> : <Words activity={entry} />}
        <p className="text-muted flex flex-wrap items-center gap-x-2 text-xs">
          {card && (
            <Link
              className="underline-offset-4 hover:underline"
              href={`/cards/${card.id}`}
            >{`•••• ${card.last4}`}</Link>
          )}
          <ClockText at={entry.createdAt} />
          {entry.actor && <span>{`by ${entry.actor.name}`}</span>}
        </p>
      </div>
    </li>
  );
}
