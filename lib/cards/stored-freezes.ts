import type { Freeze } from "#lib/cards/card-resource.ts";
import type { FreezeLevel } from "#lib/cards/card-state.ts";
import type { StoredFreeze } from "#db/schema/cards.ts";

/** A freeze as the database stores it, under its level. */
export function toStoredFreeze({ frozenAt, until, ...freeze }: Freeze): StoredFreeze {
  const { reason, reasons, comment, actor } = freeze;
  return {
    reason,
    reasons,
    comment,
    actor,
    frozen_at: frozenAt.toISOString(),
    until: until?.toISOString() ?? null,
  };
}

/** Restores a freeze that the database stores under a level. */
export function fromStoredFreeze(level: FreezeLevel, stored: StoredFreeze): Freeze {
  const { frozen_at: frozenAt, until, ...freeze } = stored;
  return {
    ...freeze,
    level,
    frozenAt: new Date(frozenAt),
    until: until === null ? null : new Date(until),
  };
}
