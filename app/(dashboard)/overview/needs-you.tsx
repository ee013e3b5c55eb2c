import { CircleCheck, CircleX, ListX, Snowflake, TrendingDown } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { LinkButton } from "../../ui/link-button.tsx";
import { Panel } from "../../ui/panel.tsx";
import { toCardTitle } from "../../ui/card-title.ts";
import { Time } from "../../ui/time.tsx";
import { FREEZE_REASON_NAMES } from "#lib/cards/card-state.ts";
import type { Need } from "#lib/overview/needs.ts";

/** How many lines are shown; the rest is counted. */
const SHOWN = 6;

/** A line: what is the matter, since when, and where to act. */
interface Line {
  icon: LucideIcon;
  text: string;
  at: Date | null;
  href: string;
  act: string;
}

/** What needs a person, each line with its action; one calm sentence when there is nothing. */
export function NeedsYou({
  needs,
  lowFloat,
}: {
  needs: readonly Need[];
  /** That the float will soon be below its threshold, in a sentence; null if it will not. */
  lowFloat: string | null;
}) {
  const lines = [...toFloatLine(lowFloat), ...needs.map(toLine)];
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
      <ul className="divide-separator divide-y">
        {lines.slice(0, SHOWN).map((line) => (
          <NeedLine key={`${line.href} ${line.text}`} line={line} />
        ))}
      </ul>
      {lines.length > SHOWN && (
        <p className="text-muted border-separator border-t px-4 py-2 text-xs">
          {`And ${lines.length - SHOWN} more.`}
        </p>
      )}
    </Panel>
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

function toFloatLine(lowFloat: string | null): Line[] {
  return lowFloat === null
    ? []
    : [{ icon: TrendingDown, text: lowFloat, at: null, href: "/float", act: "Go to float" }];
}

function toLine(need: Need): Line {
  if (need.kind === "refused_items") {
    const { job } = need;
    return {
      icon: ListX,
      text: `A bulk ${job.operation} refused ${job.refused.toLocaleString("en-US")} of ${job.total.toLocaleString("en-US")} cards`,
      at: job.endedAt,
      href: `/cards/bulk/${job.id}`,
      act: "See refusals",
    };
  }
  const { id, cardName, last4 } = need.card;
  const title = toCardTitle(cardName, last4);
  if (need.kind === "repeated_declines") {
    return {
      icon: CircleX,
      text: `${title} was declined ${need.times} times within an hour`,
      at: null,
      href: `/transactions?card_id=${id}&status=declined`,
      act: "See declines",
    };
  }
  const { reason, actor, frozenAt } = need.freeze;
  const why = reason === null ? "" : ` for ${FREEZE_REASON_NAMES[reason].toLowerCase()}`;
  return {
    icon: Snowflake,
    text: `${title} was frozen${why} by ${actor.name} and has not been reviewed`,
    at: frozenAt,
    href: `/cards/${id}`,
    act: "Review",
  };
}
