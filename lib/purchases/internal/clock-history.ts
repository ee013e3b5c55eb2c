import { eq, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import { STATEMENT_MICROS, toMomentOf } from "#lib/base/moment.ts";
import { auditLog } from "#db/schema/events.ts";
import { integrators } from "#db/schema/integrators.ts";

/** How far the integrator's clock was ahead since a moment of real time, in milliseconds. */
interface Ahead {
  since: number;
  offsetMs: number;
}

/** The clock of an integrator, now and at each moment before. */
export interface ClockHistory {
  now: Date;
  timeZone: string;
  currency: string;
  /** The oldest first. */
  ahead: readonly Ahead[];
}

export async function readClockHistory({ db, actor }: ReadContext): Promise<ClockHistory> {
  const { integratorId } = actor;
  const moves = sql`(
    select coalesce(json_agg(json_build_array(
      extract(epoch from ${auditLog.createdAt}) * 1000, (${auditLog.after} ->> 'offset_seconds')::float8 * 1000
    ) order by ${auditLog.id}), '[]') from ${auditLog}
    where ${auditLog.integratorId} = ${integratorId}
      and ${auditLog.action} in ('sandbox.clock-advanced', 'sandbox.clock-reset')
  )`;
  const [row] = await db
    .select({
      timeZone: integrators.timeZone,
      currency: integrators.currency,
      clockOffsetS: integrators.clockOffsetS,
      micros: sql<number>`${STATEMENT_MICROS}`,
      moves: sql<[number, number][]>`${moves}`,
    })
    .from(integrators)
    .where(eq(integrators.id, integratorId));
  if (!row) {
    throw new Error(`There is no integrator ${integratorId}.`);
  }
  const { timeZone, currency, micros } = row;
  return {
    now: toDeadlineTime(row, toMomentOf(db, micros).at),
    timeZone,
    currency,
    ahead: [
      { since: 0, offsetMs: 0 },
      ...row.moves.map(([since, offsetMs]) => ({ since, offsetMs })),
    ],
  };
}

/** The first moment of real time, in milliseconds, at which the clock showed this time or a later one. */
export function toRealTime({ ahead }: ClockHistory, at: Date): number {
  const moments = ahead.flatMap(({ since, offsetMs }, index) => {
    const moment = Math.max(since, at.getTime() - offsetMs);
    return moment < (ahead[index + 1]?.since ?? Number.POSITIVE_INFINITY) ? [moment] : [];
  });
  return Math.min(...moments);
}

/** What the clock showed at a moment of real time. */
export function toClockTime({ ahead }: ClockHistory, at: Date): Date {
  const offsetMs = ahead.findLast(({ since }) => since <= at.getTime())?.offsetMs ?? 0;
  return new Date(at.getTime() + offsetMs);
}
