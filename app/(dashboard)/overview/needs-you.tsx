import {
  CircleCheck,
  CircleX,
  Clock,
  ListX,
  Snowflake,
  TrendingDown,
  Undo2,
  UserCheck,
  Webhook,
} from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { LinkButton } from "../../ui/link-button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { SeeAll } from "../../ui/see-all.tsx";
import { toCardTitle } from "../../ui/card-title.ts";
import { Time } from "../../ui/time.tsx";
import { toDayName } from "../../chart/chart-frame.tsx";
import { toApprovalTitle } from "../../ui/approval-title.ts";
import { formatMoney } from "#lib/base/money.ts";
import { FREEZE_REASON_NAMES } from "#lib/cards/card-state.ts";
import type { Need } from "#lib/overview/needs.ts";

/** How many lines are shown at first. */
const SHOWN = 6;

/** A line: the problem, since when it exists, and where to act. */
interface Line {
  icon: LucideIcon;
  text: string;
  at: Date | null;
  href: string;
  act: string;
}

/** What needs a person, each line with its action; one calm sentence when there is nothing. */
export function NeedsYou({ needs, currency }: { needs: readonly Need[]; currency: string }) {
  const lines = needs.map((need) => toLine(need, currency));
  if (lines.length === 0) {
    return (
      <p className="text-muted flex items-center gap-2">
        <CircleCheck aria-hidden className="text-active size-4 shrink-0" />
        <span>Nothing needs you.</span>
      </p>
    );
  }
  return (
    <Panel flush title={`Needs you: ${lines.length}`}>
      <Lines lines={lines.slice(0, SHOWN)} />
      {lines.length > SHOWN && (
        <SeeAll className="border-separator border-t [&>summary]:m-4" count={lines.length}>
          <Lines lines={lines.slice(SHOWN)} />
        </SeeAll>
      )}
    </Panel>
  );
}

function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <ul className="divide-separator divide-y">
      {lines.map((line) => (
        <NeedLine key={`${line.href} ${line.text}`} line={line} />
      ))}
    </ul>
  );
}

function NeedLine({ line: { icon: Icon, text, at, href, act } }: { line: Line }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2">
      <p className="flex min-w-0 flex-1 basis-64 items-start gap-2">
        <Icon aria-hidden className="text-muted mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 break-words">
          <bdi>{text}</bdi>
          {at && (
            <span className="text-muted">
              {" "}
              <Time at={at} />
            </span>
          )}
        </span>
      </p>
      <LinkButton href={href} size="sm" variant="secondary">
        {act}
      </LinkButton>
    </li>
  );
}

type Of<Kind extends Need["kind"]> = Extract<Need, { kind: Kind }>;

/** How to describe each kind of need. */
const LINES: { readonly [Kind in Need["kind"]]: (need: Of<Kind>, currency: string) => Line } = {
  waiting_approval: ({ approval }, currency) => ({
    icon: UserCheck,
    text: `${approval.requestedBy.name} asks for your approval to ${toApprovalTitle(approval, currency)}`,
    at: approval.createdAt,
    href: `/approvals/${approval.id}`,
    act: "Decide",
  }),
  unreviewed_freeze: ({ card, freeze: { reason, actor, frozenAt } }) => {
    const why = reason === null ? "" : ` for ${FREEZE_REASON_NAMES[reason].toLowerCase()}`;
    return {
      icon: Snowflake,
      text: `${toTitle(card)} was frozen${why} by ${actor.name} and has not been reviewed`,
      at: frozenAt,
      href: `/cards/${card.id}`,
      act: "Review",
    };
  },
  repeated_declines: ({ card, times }) => ({
    icon: CircleX,
    text: `${toTitle(card)} was declined ${times} times within an hour`,
    at: null,
    href: `/transactions?card_id=${card.id}&status=declined`,
    act: "See declines",
  }),
  failing_webhooks: ({ alert: { kind, since, endpoint } }) => {
    const at = endpoint ? ` at ${URL.parse(endpoint.url)?.host ?? endpoint.url}` : "";
    return {
      icon: Webhook,
      text: `The webhook endpoint${at} ${kind === "webhooks_disabled" ? "is disabled" : "fails"}`,
      at: since,
      href: endpoint ? `/developers/webhooks/endpoints/${endpoint.id}` : "/developers/webhooks",
      act: "Open endpoint",
    };
  },
  low_float: ({ day }) => ({
    icon: TrendingDown,
    text: `The float may fall below its threshold on ${toDayName(day)}`,
    at: null,
    href: "/float",
    act: "Go to float",
  }),
  stray_refund: ({ refund }) => ({
    icon: Undo2,
    text: `${formatMoney(refund.amount, refund.currency)} was refunded to ${toTitle(refund)}, which has been replaced; it is in the float`,
    at: refund.at,
    href: `/cards/${refund.replacementId}?act=credit`,
    act: "Credit the new card",
  }),
  expiring_holds: ({ holds: { count, amount, isPartial } }, currency) => ({
    icon: Clock,
    text: `${isPartial ? "At least " : ""}${count.toLocaleString("en-US")} ${count === 1 ? "authorization expires" : "authorizations expire"} today, holding ${formatMoney(amount, currency)}`,
    at: null,
    href: "/transactions?status=authorized",
    act: "See authorizations",
  }),
  refused_items: ({ job }) => ({
    icon: ListX,
    text: `A bulk ${job.operation} refused ${job.refused.toLocaleString("en-US")} of ${job.total.toLocaleString("en-US")} cards`,
    at: job.endedAt,
    href: `/cards/bulk/${job.id}`,
    act: "See refusals",
  }),
};

function toLine<Kind extends Need["kind"]>(need: Of<Kind>, currency: string): Line {
  const tell: (of: Of<Kind>, in_: string) => Line = LINES[need.kind];
  return tell(need, currency);
}

function toTitle({ cardName, last4 }: { cardName: string; last4: string }): string {
  return toCardTitle(cardName, last4);
}
