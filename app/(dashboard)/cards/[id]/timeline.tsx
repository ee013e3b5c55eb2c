import {
  ArrowDownToLine,
  ArrowUpFromLine,
  Ban,
  CirclePlus,
  CircleX,
  Snowflake,
  Sun,
} from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { CopyId } from "../../../ui/copy-id.tsx";
import { Empty } from "../../../ui/empty.tsx";
import { Money } from "../../../ui/money.tsx";
import { Pager } from "../../../ui/pager.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Time } from "../../../ui/time.tsx";
import type { Activity } from "#lib/card-activity.ts";
import type { Card } from "#lib/card-resource.ts";
import { FREEZE_REASON_NAMES } from "#lib/card-state.ts";
import type { Page } from "#lib/paging.ts";

/** Everything that happened to a card, newest first: its states, its money, and what was tried and refused. */
export function Timeline({
  activity,
  card,
  isFirst,
}: {
  activity: Page<Activity>;
  card: Card;
  isFirst: boolean;
}) {
  const path = `/cards/${card.id}`;
  return (
    <Panel flush title="Timeline">
      {activity.rows.length === 0 ? (
        <Empty title="Nothing more">This is where the card's history begins.</Empty>
      ) : (
        <ol className="divide-separator divide-y">
          {activity.rows.map((each) => (
            <Line activity={each} key={each.id} />
          ))}
        </ol>
      )}
      <Pager
        firstHref={isFirst ? null : path}
        nextHref={activity.nextCursor && `${path}?before=${activity.nextCursor}`}
      />
    </Panel>
  );
}

interface Look {
  icon: LucideIcon;
  tone: string;
  title: string;
  note: string | null;
}

function Line({ activity }: { activity: Activity }) {
  const { icon: Icon, tone, title, note } = toLook(activity);
  return (
    <li className="flex gap-3 px-4 py-2.5">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${tone}`} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="font-medium">{title}</span>
          <Amount activity={activity} />
        </div>
        {note && <p className="break-words">{note}</p>}
        <p className="text-muted flex flex-wrap items-center gap-x-2 text-xs">
          <Time at={activity.createdAt} />
          {activity.actor && <span>by {activity.actor.name}</span>}
          <span className="flex items-center gap-1">
            request <CopyId id={activity.requestId} label="request id" />
          </span>
        </p>
      </div>
    </li>
  );
}

function Amount({ activity }: { activity: Activity }): ReactNode {
  if (activity.type !== "transaction") {
    return null;
  }
  const { amount, currency, cardBalanceBefore, cardBalanceAfter } = activity.transaction;
  const moved = cardBalanceAfter - cardBalanceBefore;
  return (
    <span className="flex items-baseline gap-2">
      <Money
        amount={moved === 0 ? amount : moved}
        className="font-medium"
        currency={currency}
        signed={moved !== 0}
      />
      <span className="text-muted text-xs">
        balance <Money amount={cardBalanceAfter} currency={currency} />
      </span>
    </span>
  );
}

function toLook(activity: Activity): Look {
  if (activity.type === "state_change") {
    return toStateLook(activity.stateChange);
  }
  if (activity.type === "refused_attempt") {
    const { operation, code, detail } = activity.refusal;
    return {
      icon: CircleX,
      tone: "text-declined",
      title: `Refused: ${operation ?? "unknown operation"}`,
      note: detail ?? code,
    };
  }
  const { type, narrative } = activity.transaction;
  return type === "credit" || type === "deduct-reversal"
    ? { icon: ArrowDownToLine, tone: "text-active", title: "Credited", note: narrative }
    : { icon: ArrowUpFromLine, tone: "text-muted", title: "Debited", note: narrative };
}

function toStateLook(change: Extract<Activity, { type: "state_change" }>["stateChange"]): Look {
  const { from, to, reason, comment } = change;
  const note = [reason && FREEZE_REASON_NAMES[reason], comment && `“${comment}”`]
    .filter((part) => part !== null && part !== "")
    .join(" · ");
  const look = { note: note === "" ? null : note };
  if (to === "frozen") {
    return { ...look, icon: Snowflake, tone: "text-frozen", title: "Frozen" };
  }
  if (to === "closed") {
    return { ...look, icon: Ban, tone: "text-muted", title: "Closed" };
  }
  return from === null
    ? { ...look, icon: CirclePlus, tone: "text-muted", title: "Created" }
    : { ...look, icon: Sun, tone: "text-active", title: "Unfrozen" };
}
