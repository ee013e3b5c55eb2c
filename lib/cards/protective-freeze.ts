import { listRoles } from "#lib/access/roles.ts";
import type { ActorRef } from "#lib/base/actor.ts";
import { FREEZE_REASON_NAMES, isProtective, toLevelName } from "#lib/cards/card-state.ts";
import type { FreezeLevel, FreezeReason } from "#lib/cards/card-state.ts";

/** The parts of a standing freeze that decide whether it is protective. */
export interface StandingFreeze {
  level: FreezeLevel;
  reason: FreezeReason | null;
  actor: Pick<ActorRef, "type" | "name">;
}

/**
 * Whether a freeze protects its card against misuse, so that nobody should lift it without a review: by its reason, by its
 * level, or because a rule made it. A card that was merely idle needs none.
 */
export function isProtectiveFreeze({ reason, level, actor }: StandingFreeze): boolean {
  return (
    isProtective(reason) ||
    level === "compliance" ||
    (actor.type === "system" && reason !== "inactivity")
  );
}

/** Finds the gravest of a card's protective freezes. */
export function findProtective<Standing extends StandingFreeze>(
  freezes: readonly Standing[],
): Standing | undefined {
  return freezes.find(isProtectiveFreeze);
}

const LIST = new Intl.ListFormat("en-US");

/** A text on who froze a card for its protection, why, and who may lift the freeze. */
export function toProtectionText({ actor, reason, level }: StandingFreeze): string {
  const why = reason === null ? "" : `: ${FREEZE_REASON_NAMES[reason].toLowerCase()}`;
  const lifters =
    level === "compliance" ? ` Only ${LIST.format(listRoles("cards:lift"))} may lift it.` : "";
  return `Frozen by ${actor.name} at the ${toLevelName(level)} level${why}.${lifters}`;
}
