"use client";

import { Snowflake } from "lucide-react";
import { useClockOffset } from "../../../client/deadline-clock.tsx";
import type { Elements } from "../../../ui/elements.ts";
import { TimeText } from "../../../ui/time-text.tsx";
import { toExactTime, toSpan } from "../../../ui/time-format.ts";
import { useTimeZone } from "../../../ui/time-zone.tsx";
import type { CardResource } from "./acts.ts";
import { FREEZE_LEVEL_NAMES, FREEZE_REASON_NAMES } from "#lib/cards/card-state.ts";

/** For each level: who froze the card, when, why, and until when; and how long before that it was last approved. */
export function FreezeNotice({
  card,
  lastApproval = null,
  action,
}: {
  card: CardResource;
  action?: Elements;
  /** As an RFC 3339 time; null if unknown. */
  lastApproval?: string | null;
}) {
  const { freeze, freezes } = card;
  if (card.status !== "frozen" || !freeze) {
    return null;
  }
  const at = new Date(freeze.frozen_at);
  return (
    <div className="bg-frozen-soft text-frozen flex items-start gap-2 rounded-lg px-3 py-2">
      <Snowflake aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="flex min-w-0 flex-col gap-1">
        {freezes.map((each) => (
          <StandingFreeze freeze={each} key={each.level} />
        ))}
        {lastApproval !== null && (
          <p>{`Last approved purchase: ${toSpan(new Date(lastApproval), at)} before the freeze`}</p>
        )}
        {action}
      </div>
    </div>
  );
}

function StandingFreeze({ freeze }: { freeze: CardResource["freezes"][number] }) {
  const { level, reason, comment, until } = freeze;
  return (
    <p className="min-w-0">
      <span>{`Frozen by ${freeze.actor.name}`}</span> <TimeText at={freeze.frozen_at} />
      {reason && <span>{`: ${FREEZE_REASON_NAMES[reason].toLowerCase()}`}</span>}
      {comment && <span className="block break-words">{`“${comment}”`}</span>}
      <span className="block text-xs">
        <span>{`${FREEZE_LEVEL_NAMES[level]} level`}</span>
        {until !== null && <EndText until={until} />}
      </span>
    </p>
  );
}

/** When a freeze ends, and how far away that is by the account's clock. */
function EndText({ until }: { until: string }) {
  const timeZone = useTimeZone();
  const end = new Date(until);
  const inRealTime = new Date(end.getTime() - useClockOffset() * 1_000);
  return (
    <>
      <span suppressHydrationWarning>{` · ends ${toExactTime(end, timeZone)}, `}</span>
      <TimeText at={inRealTime.toISOString()} />
    </>
  );
}
