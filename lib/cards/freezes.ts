import type { ActorRef } from "#lib/base/actor.ts";
import { hasPassed } from "#lib/base/deadline-clock.ts";
import type { DeadlineClock } from "#lib/base/deadline-clock.ts";
import { FREEZE_LEVELS, isGraver } from "#lib/cards/card-state.ts";
import type { FreezeLevel, FreezeReason } from "#lib/cards/card-state.ts";
import type { Card, Freeze } from "#lib/cards/card-resource.ts";

/** The requested terms of a freeze. In an amendment, an absent member keeps its current value. */
export interface FreezeTerms {
  level: FreezeLevel;
  reason: FreezeReason | null;
  comment?: string | null | undefined;
  until?: Date | null | undefined;
}

/** Makes a new freeze. */
export function makeFreeze(terms: FreezeTerms, actor: ActorRef, at: Date): Freeze {
  const { level, reason, comment = null, until = null } = terms;
  const reasons = reason === null ? [] : [reason];
  return { level, frozenAt: at, until, reason, comment, actor, reasons };
}

/**
 * Amends a standing freeze by another request for its level; returns the same object if nothing is new. A milder reason
 * is added, but never replaces a graver one. A comment is kept only with its reason, or with a new end.
 */
export function amendFreeze(standing: Freeze, terms: FreezeTerms, actor: ActorRef): Freeze {
  const { reason, comment } = terms;
  const until = terms.until === undefined ? standing.until : terms.until;
  if (reason !== null && !standing.reasons.includes(reason)) {
    const amended = { ...standing, until, reasons: [...standing.reasons, reason] };
    return isGraver(reason, standing.reason)
      ? { ...amended, reason, comment: comment ?? null, actor }
      : amended;
  }
  if (until?.getTime() === standing.until?.getTime()) {
    return standing;
  }
  return { ...standing, until, comment: comment === undefined ? standing.comment : comment };
}

/** Whether an amendment makes a freeze end earlier. That counts as a lift. */
export function endsEarlier(after: Freeze, before: Freeze): boolean {
  return after.until !== null && (before.until === null || after.until < before.until);
}

/**
 * The members of a card that follow from its freezes. `freezes` are sorted, gravest first, and `freeze` is the first.
 */
export function toFreezes(freezes: readonly Freeze[]): Pick<Card, "freeze" | "freezes" | "status"> {
  const sorted = freezes.toSorted((a, b) => {
    if (a.reason === b.reason) {
      return FREEZE_LEVELS.indexOf(b.level) - FREEZE_LEVELS.indexOf(a.level);
    }
    return a.reason !== null && isGraver(a.reason, b.reason) ? -1 : 1;
  });
  const freeze = sorted[0] ?? null;
  return { status: freeze ? "frozen" : "active", freeze, freezes: sorted };
}

/** The card's standing freeze of a level. */
export function findFreeze({ freezes }: Pick<Card, "freezes">, level: FreezeLevel | null) {
  return freezes.find((freeze) => freeze.level === level);
}

/** When the next of a card's freezes ends automatically; null if none does. */
export function toNextEnd({ freezes }: Pick<Card, "freezes">): Date | null {
  const ends = freezes.flatMap(({ until }) => until ?? []);
  return ends.toSorted((a, b) => a.getTime() - b.getTime())[0] ?? null;
}

/** One change of a card's status or of its freezes: the card before and right after it. */
export interface Change {
  before: Card;
  card: Card;
  /** Of the freeze that was made, amended, or lifted; null when the card was closed. */
  level: FreezeLevel | null;
  reason: FreezeReason | null;
  comment: string | null;
  /** The end at which the freeze was lifted automatically; null in any other case. */
  dueAt: Date | null;
}

/** A card right after a change of its status or of its freezes. */
export function toCardAfter(before: Card, state: ReturnType<typeof toFreezes>, at: Date): Card {
  return { ...before, ...state, statusVersion: before.statusVersion + 1, updatedAt: at };
}

/** The level whose freeze is lifted, and why. */
type Lift = Pick<Freeze, "level"> & Pick<Change, "comment" | "dueAt">;

/** Lifts freezes of a card, one after another. */
export function liftFreezes(card: Card, lifts: readonly Lift[], at: Date): Change[] {
  let before = card;
  return lifts.map((lift) => {
    const left = before.freezes.filter(({ level }) => level !== lift.level);
    const change = {
      ...lift,
      before,
      card: toCardAfter(before, toFreezes(left), at),
      reason: null,
    };
    before = change.card;
    return change;
  });
}

/**
 * The lifts of a card's freezes that have ended by now, in the order of their ends. The next transaction that locks the
 * card writes them. Until then, every read of the card applies them.
 */
export function liftEnded(card: Card, clock: DeadlineClock, at: Date): Change[] {
  const ended = card.freezes
    .filter(({ until }) => hasPassed(clock, until, at))
    .toSorted((a, b) => Number(a.until) - Number(b.until))
    .map(({ level, until }) => ({ level, comment: null, dueAt: until }));
  return liftFreezes(card, ended, at);
}

/** The card without the freezes that have ended by now. */
export function afterEnds(card: Card, clock: DeadlineClock, at: Date): Card {
  const last = liftEnded(card, clock, at).at(-1);
  return last ? { ...last.card, updatedAt: card.updatedAt } : card;
}
