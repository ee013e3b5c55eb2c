"use client";

import { Snowflake } from "lucide-react";
import { TimeText } from "../../../ui/time-text.tsx";
import { toSpan } from "../../../ui/time-format.ts";
import type { CardResource } from "./acts.ts";
import { FREEZE_REASON_NAMES } from "#lib/cards/card-state.ts";

/** Who froze the card, when, and why, and how long before that it was last approved. */
export function FreezeNotice({
  card,
  lastApproval = null,
}: {
  card: CardResource;
  /** As an RFC 3339 time; null if unknown. */
  lastApproval?: string | null;
}) {
  const { freeze } = card;
  if (card.status !== "frozen" || !freeze) {
    return null;
  }
  const at = new Date(freeze.frozen_at);
  return (
    <div className="bg-frozen-soft text-frozen flex items-start gap-2 rounded-lg px-3 py-2">
      <Snowflake aria-hidden className="mt-0.5 size-4 shrink-0" />
      <p className="min-w-0">
        <span>{`Frozen by ${freeze.actor.name}`}</span> <TimeText at={freeze.frozen_at} />
        {freeze.reason && <span>{`: ${FREEZE_REASON_NAMES[freeze.reason].toLowerCase()}`}</span>}
        {freeze.comment && <span className="block break-words">{`“${freeze.comment}”`}</span>}
        {lastApproval !== null && (
          <span className="block">{`Last approved purchase: ${toSpan(new Date(lastApproval), at)} before the freeze`}</span>
        )}
      </p>
    </div>
  );
}
