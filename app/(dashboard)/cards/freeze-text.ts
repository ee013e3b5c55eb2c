import { FREEZE_REASON_NAMES } from "#lib/cards/card-state.ts";
import type { FreezeReason } from "#lib/cards/card-state.ts";

/** Who froze a card and why: "frozen by Ada Winter: lost". */
export function toFreezeText({ reason, by }: { reason: FreezeReason | null; by: string }): string {
  return reason === null
    ? `frozen by ${by}`
    : `frozen by ${by}: ${FREEZE_REASON_NAMES[reason].toLowerCase()}`;
}
