import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";

/**
 * What an integrator's clock showed when something was recorded. Records keep real time, and the audit log keeps each move of
 * the clock. Only the clock of a sandbox is ever moved.
 */

const NO_ID = "00000000-0000-0000-0000-000000000000";

/**
 * The moves of an integrator's clock, each with the offset before it, as the expression `moves` of a statement. What was
 * recorded before the clock was reset counts in real time.
 * @param since an id: of what was recorded earlier, nothing is asked.
 */
export function clockMoves(integratorId: string, since = NO_ID): SQL {
  return sql`moves as materialized (
    select id, (before ->> 'offset_seconds')::float8 as offset_s from audit_log
    where integrator_id = ${integratorId} and id >= ${since} and action = 'sandbox.clock-advanced'
      and id > coalesce((
        select id from audit_log where integrator_id = ${integratorId} and action = 'sandbox.clock-reset'
        order by id desc limit 1), ${NO_ID}::uuid))`;
}

/** When a row was recorded, in milliseconds by the integrator's clock as it then was. Needs `clockMoves`. */
export function timeOnClock(integratorId: string, row: "t" | "s"): SQL {
  const of = sql.raw(row);
  return sql`extract(epoch from ${of}.created_at)::float8 * 1000 + 1000 * coalesce(
    (select offset_s from moves where moves.id > ${of}.id order by moves.id limit 1),
    (select clock_offset_s from integrators where id = ${integratorId}))`;
}
