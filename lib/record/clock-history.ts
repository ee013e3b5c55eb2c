import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";

/**
 * Converts real times of records to the integrator's clock. Records keep real time, and the audit log keeps each move
 * of the clock. Only a sandbox's clock ever moves.
 */

const NO_ID = "00000000-0000-0000-0000-000000000000";

/**
 * The `with` expression `moves`: each move of an integrator's clock since its last reset, with the offset before the
 * move. Records from before the reset count in real time.
 * @param since the smallest id whose time the statement needs.
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
