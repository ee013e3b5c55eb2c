import { DomainError } from "#lib/base/errors.ts";
import { hasPassed } from "#lib/base/deadline-clock.ts";
import type { Card, Freeze } from "#lib/cards/card-resource.ts";
import { isGraver, toLevelName } from "#lib/cards/card-state.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";
import { endsEarlier, findFreeze, toCardAfter, toFreezes } from "#lib/cards/freezes.ts";
import type { Change } from "#lib/cards/freezes.ts";
import { toNotLiftable, toNotSettable } from "#lib/cards/freeze-rights.ts";
import type { Locked } from "#lib/ledger/accounts.ts";

/** Restores the freeze of a level as it was before a change. */
export interface Undoing {
  to: "undone";
  level: FreezeLevel;
  /** The freeze to restore; null if there was none. */
  freeze: Freeze | null;
  /** Whether the level has been changed again since. */
  isChangedSince: boolean;
  comment?: string | null | undefined;
  mayLift: readonly FreezeLevel[];
  /** The levels at which the caller may make freezes. */
  maySet: readonly FreezeLevel[];
}

/**
 * Decides an undo: restores the freeze with all its terms, unless its end has passed. The caller needs the same right
 * as for the corresponding manual change.
 */
export function undoLevel(
  { accounts, integrator }: Locked,
  before: Card,
  request: Undoing,
): { refusal: DomainError } | Change[] {
  const { level, isChangedSince } = request;
  if (isChangedSince) {
    return { refusal: toLevelChanged(level) };
  }
  const standing = findFreeze(before, level) ?? null;
  const hasEnded = request.freeze && hasPassed(integrator, request.freeze.until, accounts.at);
  const restored = hasEnded ? null : request.freeze;
  const refusal = findRefusal(standing, restored, request);
  if (refusal) {
    return { refusal };
  }
  return standing || restored
    ? [toChange(before, { ...request, freeze: restored }, accounts.at)]
    : [];
}

function toChange(before: Card, { level, freeze, comment = null }: Undoing, at: Date): Change {
  const others = before.freezes.filter((other) => other.level !== level);
  const freezes = freeze ? [...others, freeze] : others;
  const card = toCardAfter(before, toFreezes(freezes), at);
  return { before, card, level, reason: freeze?.reason ?? null, comment, dueAt: null };
}

/** Restoring the level's freeze amounts to a freeze, an amendment, or a lift. Each needs its own right. */
function findRefusal(
  standing: Freeze | null,
  restored: Freeze | null,
  { level, mayLift, maySet }: Undoing,
): DomainError | null {
  if (standing && isWeaker(restored, standing) && !mayLift.includes(level)) {
    return toNotLiftable(standing);
  }
  return restored && !maySet.includes(level) ? toNotSettable(level) : null;
}

/** Whether a freeze is weaker than the standing one. To get there by hand, one would have to lift that one. */
function isWeaker(restored: Freeze | null, standing: Freeze): boolean {
  return (
    restored === null ||
    endsEarlier(restored, standing) ||
    (standing.reason !== null && isGraver(standing.reason, restored.reason))
  );
}

function toLevelChanged(level: FreezeLevel): DomainError {
  return new DomainError(
    "card_status_changed",
    `Since then, the card's ${toLevelName(level)} freeze has been changed again. It was left as it is.`,
  );
}
