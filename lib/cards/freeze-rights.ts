import { listRoles } from "#lib/access/roles.ts";
import type { Member, Scope } from "#lib/base/actor.ts";
import { DomainError } from "#lib/base/errors.ts";
import type { Freeze } from "#lib/cards/card-resource.ts";
import { FREEZE_LEVELS } from "#lib/cards/card-state.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";

/** The scope that lifts the freezes of each level. */
const LIFTS: Readonly<Record<FreezeLevel, Scope>> = {
  cardholder: "cards:freeze",
  staff: "cards:write",
  compliance: "cards:lift",
};

type Credential = Pick<Member, "scopes">;

/** The levels whose freezes a credential may lift. */
export function toLiftable({ scopes }: Credential): FreezeLevel[] {
  return FREEZE_LEVELS.filter((level) => scopes.has(LIFTS[level]));
}

/** The levels at which a credential may make freezes. */
export function toSettable({ scopes }: Credential): FreezeLevel[] {
  return FREEZE_LEVELS.filter((level) => level === "cardholder" || scopes.has("cards:write"));
}

/**
 * The level of a freeze that a credential makes: by default `cardholder` for API keys, and `staff` for people.
 * Credentials that may change cards may choose any level.
 * @throws DomainError `scope_missing` for a key that may only freeze for cardholders.
 */
export function requireSettable(
  actor: Credential & Pick<Member, "staff">,
  level: FreezeLevel = actor.staff ? "staff" : "cardholder",
): FreezeLevel {
  if (!toSettable(actor).includes(level)) {
    throw toNotSettable(level);
  }
  return level;
}

/** The refusal to make a freeze of a level that the caller may not set. */
export function toNotSettable(level: FreezeLevel): DomainError {
  return new DomainError(
    "scope_missing",
    `A freeze of the level ${level} needs the scope "cards:write".`,
  );
}

/** The refusal of a freeze without a reason on an account that requires one. */
export function toReasonRequired(): DomainError {
  const sentence = "This account requires a reason for each freeze.";
  return new DomainError("reason_required", sentence, { reason: [sentence] });
}

const LIFTER_LIST = new Intl.ListFormat("en-US");

/** A sentence on who may lift a freeze of a level, shown to the person who chooses the level. */
export function toLevelMeaning(level: FreezeLevel): string {
  const people = LIFTER_LIST.format(listRoles(LIFTS[level]));
  return level === "cardholder"
    ? `Can be lifted by ${people}, and by the cardholder in your app.`
    : `Can be lifted by ${people} only.`;
}

/** The refusal to lift a freeze of a level that the caller may not lift. */
export function toNotLiftable({
  level,
  frozenAt,
}: Pick<Freeze, "level" | "frozenAt">): DomainError {
  const scope = LIFTS[level];
  const lifters = LIFTER_LIST.format([...listRoles(scope), `API keys with the scope "${scope}"`]);
  return new DomainError(
    "freeze_not_liftable",
    `A freeze of the level ${level} has stood since ${frozenAt.toISOString()}. Only ${lifters} may lift it. Nothing was changed.`,
  );
}
