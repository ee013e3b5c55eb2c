import { and, asc, eq, gte, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import type { Db } from "#db/client.ts";
import { NOW } from "#db/schema/columns.ts";
import { apiKeys, deprecatedCalls, deprecatedUses } from "#db/schema/integrators.ts";

/** How many days the report covers, today included. */
export const REPORT_DAYS = 30;

/** A key's calls to a deprecated operation. */
export interface DeprecatedUse {
  operation: string;
  apiKey: { id: string; name: string; suffix: string; isRevoked: boolean };
  /** Calls on each of the last 30 UTC days, oldest first. */
  days: readonly { date: string; calls: number }[];
  firstAt: Date;
  lastAt: Date;
}

/** Calls of a key that the server has counted and not yet written. */
export interface CountedCalls {
  integratorId: string;
  apiKeyId: string;
  operation: string;
  calls: number;
}

/**
 * Adds calls to the key's totals and to today's counts, in one statement: both change, or neither does. Any number of
 * servers may do so at the same time.
 */
export async function addDeprecatedCalls(db: Db, counted: readonly CountedCalls[]): Promise<void> {
  const column = <T>(read: (each: CountedCalls) => T) => sql.param(counted.map(read));
  await db.execute(sql`
    with counted as (
      select * from unnest(
        ${column(({ integratorId }) => integratorId)}::uuid[],
        ${column(({ apiKeyId }) => apiKeyId)}::uuid[],
        ${column(({ operation }) => operation)}::text[],
        ${column(({ calls }) => calls)}::int[]
      ) as each (integrator_id, api_key_id, operation, calls)
      order by integrator_id, api_key_id, operation
    ), totals as (
      insert into deprecated_uses as total (integrator_id, api_key_id, operation, calls)
      select integrator_id, api_key_id, operation, calls from counted
      on conflict (integrator_id, api_key_id, operation)
        do update set calls = total.calls + excluded.calls, last_at = ${NOW}
    )
    insert into deprecated_calls as daily (integrator_id, api_key_id, operation, day, calls)
    select integrator_id, api_key_id, operation, ${TODAY}, calls from counted
    on conflict (integrator_id, api_key_id, operation, day)
      do update set calls = daily.calls + excluded.calls`);
}

const TODAY = sql`(clock_timestamp() at time zone 'UTC')::date`;

/** The deprecated operations that the integrator's keys have called, by operation and key. */
export async function listDeprecatedUses(ctx: ReadContext): Promise<DeprecatedUse[]> {
  const { integratorId } = ctx.actor;
  const uses = await ctx.db
    .select({
      operation: deprecatedUses.operation,
      firstAt: deprecatedUses.firstAt,
      lastAt: deprecatedUses.lastAt,
      apiKeyId: apiKeys.id,
      name: apiKeys.name,
      suffix: apiKeys.suffix,
      revokedAt: apiKeys.revokedAt,
    })
    .from(deprecatedUses)
    .innerJoin(
      apiKeys,
      and(
        eq(apiKeys.id, deprecatedUses.apiKeyId),
        eq(apiKeys.integratorId, deprecatedUses.integratorId),
      ),
    )
    .where(eq(deprecatedUses.integratorId, integratorId))
    .orderBy(asc(deprecatedUses.operation), asc(apiKeys.id));
  const counts = await ctx.db
    .select()
    .from(deprecatedCalls)
    .where(
      and(
        eq(deprecatedCalls.integratorId, integratorId),
        gte(deprecatedCalls.day, sql`${TODAY} - ${REPORT_DAYS - 1}::int`),
      ),
    );
  const dates = await readDates(ctx);
  const calls = new Map(
    counts.map((each) => [toName(each.operation, each.apiKeyId, each.day), each.calls]),
  );
  return uses.map(({ operation, firstAt, lastAt, apiKeyId, name, suffix, revokedAt }) => ({
    operation,
    apiKey: { id: apiKeyId, name, suffix, isRevoked: revokedAt !== null },
    days: dates.map((date) => ({
      date,
      calls: calls.get(toName(operation, apiKeyId, date)) ?? 0,
    })),
    firstAt,
    lastAt,
  }));
}

/** The days of the report by the database's clock, as `YYYY-MM-DD`. */
async function readDates({ db }: ReadContext): Promise<string[]> {
  const rows = await db.execute<{ date: string }>(sql`
    select (${TODAY} - back)::text as date from generate_series(${REPORT_DAYS - 1}::int, 0, -1) as back`);
  return rows.map(({ date }) => date);
}

function toName(operation: string, apiKeyId: string, date: string): string {
  return `${operation} ${apiKeyId} ${date}`;
}
