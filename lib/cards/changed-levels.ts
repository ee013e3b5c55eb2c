import { sql } from "drizzle-orm";
import type { FreezeLevel } from "#lib/cards/card-state.ts";
import type { Tx } from "#db/transaction.ts";

/** A level of a card, and the version of the card's status at which it was last seen. */
export interface SeenLevel {
  cardId: string;
  level: FreezeLevel;
  version: number;
}

/**
 * Whether each level has been changed since it was seen, in order. A freeze that merely reached its end does not count
 * as changed. Each version of a status is one row of the card's history, so the number of versions since then says how
 * many of the newest rows to read.
 */
export async function findChangedLevels(
  tx: Tx,
  integratorId: string,
  seen: readonly SeenLevel[],
): Promise<boolean[]> {
  const column = (read: (level: SeenLevel) => unknown) => sql.param(seen.map(read));
  const rows = await tx.execute<{ changed: boolean }>(sql`
    select exists (
      select from cards c cross join lateral (
        select level, lifted, until from card_state_changes s
        where s.integrator_id = ${integratorId} and s.card_id = c.id
        order by id desc limit greatest(c.status_version - seen.version, 0)
      ) change
      where c.integrator_id = ${integratorId} and c.id = seen.card_id
        and change.level = seen.level and not (change.lifted and change.until is not null)
    ) as changed
    from unnest(
      ${column(({ cardId }) => cardId)}::uuid[], ${column(({ level }) => level)}::text[],
      ${column(({ version }) => version)}::bigint[]
    ) with ordinality as seen (card_id, level, version, position)
    order by seen.position`);
  return rows.map(({ changed }) => changed);
}
