import { Ban, CirclePlus, CircleX, NotebookPen, Snowflake, Sun } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { Link } from "../ui/link.tsx";
import { RequestLink } from "../ui/request-link.tsx";
import { CopyId } from "../ui/copy-id.tsx";
import { Empty } from "../ui/empty.tsx";
import { Pager } from "../ui/pager.tsx";
import { Panel } from "../ui/panel.tsx";
import { ClockText } from "../ui/time-text.tsx";
import { toRefusedTitle } from "#lib/operations/attempt.ts";
import { AddNote } from "./add-note.tsx";
import { toCardSummary } from "./card-summary.ts";
import { TimelineDays } from "./timeline-days.tsx";
import { TimelineBar } from "./timeline-bar.tsx";
import { toTimelineHref } from "./timeline-place.ts";
import type { TimelinePlace } from "./timeline-place.ts";
import { CopySummary } from "./copy-summary.tsx";
import type { DisabledReasons } from "../transaction/decline-notice.tsx";
import { NoteText } from "../transaction/note-text.tsx";
import {
  toTransactionLook,
  TransactionHeading,
  TransactionNotes,
} from "./timeline-transaction.tsx";
import type { Activity, TimelineEntry } from "#lib/transactions/card-activity.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { FREEZE_LEVEL_NAMES, FREEZE_REASON_NAMES } from "#lib/cards/card-state.ts";
import type { Page } from "#lib/base/paging.ts";
import { AUDIT_ACTIONS } from "#lib/record/declared-actions.ts";

/** A card's history, newest first: its states, its money, refused attempts, and notes. */
export function Timeline({
  activity,
  card,
  place,
  timeZone,
  disabledReasons,
  noteDisabledReason,
}: {
  activity: Page<TimelineEntry>;
  card: Card & { expired: boolean; isReviewed: boolean };
  /** The part that the page shows. Null in the panel beside a list, which shows the newest entries. */
  place: TimelinePlace | null;
  timeZone: string;
  disabledReasons: DisabledReasons;
  noteDisabledReason: string | null;
}) {
  const path = `/cards/${card.id}`;
  const { type, before, showsRequests } = place ?? NEWEST;
  const isNewest = before === undefined && type === undefined;
  return (
    <Panel
      action={
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <AddNote cardId={card.id} disabledReason={noteDisabledReason} transactionId={null} />
          <CopySummary text={isNewest ? toCardSummary(card, activity.rows, timeZone) : null} />
          <Link className="underlined-link" href={`${path}/statement`}>
            Monthly statement
          </Link>
          <Link className="underlined-link" href={`/transactions?card_id=${card.id}`}>
            All transactions
          </Link>
          <Link className="underlined-link" href={`/settings/audit-log?target_id=${card.id}`}>
            Audit log
          </Link>
        </div>
      }
      flush
      title="Timeline"
    >
      {place && <TimelineBar cardId={card.id} place={place} />}
      {activity.rows.length === 0 ? (
        <Empty title={type ? NONE[type] : "No more activity"}>
          {type && before === undefined
            ? "This card's history contains none."
            : "This is where the card's history begins."}
        </Empty>
      ) : (
        <TimelineDays entries={activity.rows} timeZone={timeZone}>
          {(each) => (
            <Line
              activity={each}
              card={card}
              key={each.id}
              disabledReasons={disabledReasons}
              showsRequest={showsRequests}
            />
          )}
        </TimelineDays>
      )}
      <Pager
        cursor={before}
        hrefOf={(each) => toTimelineHref(card.id, { type, showsRequests, before: each })}
        nextCursor={activity.nextCursor}
      />
    </Panel>
  );
}

/** The newest entries of every type. */
const NEWEST: TimelinePlace = { type: undefined, before: undefined, showsRequests: false };

const NONE: Readonly<Record<Activity["type"], string>> = {
  transaction: "No transactions",
  state_change: "No status changes",
  note: "No notes",
  refused_attempt: "No refused requests",
};

interface Look {
  icon: LucideIcon;
  tone: string;
  title: string;
  note: string | null;
}

function Line({
  activity,
  card,
  disabledReasons,
  showsRequest,
}: {
  activity: TimelineEntry;
  card: Card & { expired: boolean; isReviewed: boolean };
  disabledReasons: DisabledReasons;
  showsRequest: boolean;
}) {
  const { icon: Icon, tone } = isMoney(activity) ? toTransactionLook(activity) : toLook(activity);
  return (
    <li className="flex gap-3 px-4 py-2.5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${tone}`} />
      <div className="min-w-0 flex-1">
        {isMoney(activity) ? (
          <>
            <TransactionHeading entry={activity} />
            {activity.type === "transaction" && (
              <TransactionNotes
                card={card}
                disabledReasons={disabledReasons}
                transaction={activity.transaction}
              />
            )}
          </>
        ) : (
          <Words activity={activity} />
        )}
        <p className="text-muted flex flex-wrap items-center gap-x-2 text-xs">
          <ClockText at={activity.createdAt} />
          {activity.actor && <span>{`by ${activity.actor.name}`}</span>}
          {showsRequest && (
            <span className="flex items-center gap-1">
              <span>request</span> <CopyId id={activity.requestId} label="request ID" />
            </span>
          )}
          {activity.type === "refused_attempt" && <RequestLink id={activity.id} />}
        </p>
      </div>
    </li>
  );
}

/** An entry of a timeline that is not a transaction. */
type Entry = Exclude<TimelineEntry, { transaction: unknown }>;

/** Whether an entry is about money. */
export function isMoney(
  entry: TimelineEntry,
): entry is Extract<TimelineEntry, { transaction: unknown }> {
  return "transaction" in entry;
}

export function Words({ activity }: { activity: Entry }) {
  const { title, note } = toLook(activity);
  return (
    <>
      <span className="font-medium">{title}</span>
      {note && <p className="break-words">{note}</p>}
      {activity.type === "note" && <Note note={activity.note} />}
    </>
  );
}

function Note({
  note: { transactionId, comment },
}: Pick<Extract<Entry, { type: "note" }>, "note">) {
  return (
    <>
      {transactionId !== null && (
        <>
          {" "}
          <Link className="underlined-link" href={`/transactions/${transactionId}`}>
            to a transaction
          </Link>
        </>
      )}
      <NoteText comment={comment} />
    </>
  );
}

/** The icon and the words of every entry except transactions. */
export function toLook(activity: Entry): Look {
  if (activity.type === "state_change") {
    return toStateLook(activity.stateChange);
  }
  if (activity.type === "note") {
    return {
      icon: NotebookPen,
      tone: "text-muted",
      title: AUDIT_ACTIONS["card.noted"],
      note: null,
    };
  }
  const { operation, code, detail } = activity.refusal;
  return {
    icon: CircleX,
    tone: "text-declined",
    title: toRefusedTitle(operation, "this card") ?? "Request refused",
    note: detail ?? code,
  };
}

type StateChange = Extract<Activity, { type: "state_change" }>["stateChange"];

function toFrozenTitle({ from, lifted }: StateChange): string {
  if (from !== "frozen") {
    return AUDIT_ACTIONS["card.frozen"];
  }
  return lifted ? AUDIT_ACTIONS["card.freeze-lifted"] : "Freeze added or changed";
}

function toStateLook(change: StateChange): Look {
  const { from, to, reason, comment, level, lifted, until } = change;
  const note = [
    level && `${FREEZE_LEVEL_NAMES[level]} level`,
    reason && FREEZE_REASON_NAMES[reason],
    comment && `“${comment}”`,
    lifted && until && "Ended as scheduled",
  ]
    .filter(Boolean)
    .join(" · ");
  const look = { note: note === "" ? null : note };
  if (to === "frozen") {
    return {
      ...look,
      icon: Snowflake,
      tone: "text-frozen",
      title: toFrozenTitle(change),
    };
  }
  if (to === "closed") {
    return { ...look, icon: Ban, tone: "text-muted", title: AUDIT_ACTIONS["card.closed"] };
  }
  return from === null
    ? { ...look, icon: CirclePlus, tone: "text-muted", title: AUDIT_ACTIONS["card.created"] }
    : { ...look, icon: Sun, tone: "text-active", title: AUDIT_ACTIONS["card.unfrozen"] };
}
