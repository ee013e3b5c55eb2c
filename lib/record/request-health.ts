import { and, eq, gt, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { RANGE_BOUNDS, toPercentile } from "#lib/record/duration-ranges.ts";
import { NOW } from "#db/schema/columns.ts";
import { apiLogHours } from "#db/schema/events.ts";

/** How the requests of one operation went. */
export interface OperationHealth {
  operation: string;
  requests: number;
  failures: number;
  /** In milliseconds, at most a fifth too high. */
  p95Ms: number;
}

/** How often an operation was refused with a code. */
export interface CodeCount {
  operation: string;
  code: string;
  requests: number;
}

/** The last 24 hours: operations and refusal codes, each with the most requests first. */
export interface RequestHealth {
  operations: readonly OperationHealth[];
  codes: readonly CodeCount[];
}

const PERCENTILE = 0.95;

/** Reads the hourly counts of this integrator's requests since the start of the hour that was 24 hours ago. */
export async function readRequestHealth(ctx: ReadContext): Promise<RequestHealth> {
  const rows = await ctx.db
    .select({
      operation: apiLogHours.operation,
      code: apiLogHours.code,
      range: apiLogHours.range,
      requests: sql<number>`sum(${apiLogHours.requests})::float8`,
    })
    .from(apiLogHours)
    .where(
      and(
        eq(apiLogHours.integratorId, ctx.actor.integratorId),
        gt(apiLogHours.hour, sql`${NOW} - interval '25 hours'`),
      ),
    )
    .groupBy(apiLogHours.operation, apiLogHours.code, apiLogHours.range);
  return { operations: toOperations(rows), codes: toCodes(rows) };
}

interface Named {
  operation: string;
  requests: number;
}

interface Counted {
  operation: string;
  code: string;
  range: number;
  requests: number;
}

function toOperations(rows: readonly Counted[]): OperationHealth[] {
  const byOperation = Map.groupBy(rows, ({ operation }) => operation);
  return [...byOperation]
    .map(([operation, counted]) => ({
      operation,
      requests: sum(counted),
      failures: sum(counted.filter(({ code }) => code !== "")),
      p95Ms: toPercentile(toCounts(counted), PERCENTILE),
    }))
    .toSorted(byRequests);
}

function toCodes(rows: readonly Counted[]): CodeCount[] {
  const refused = rows.filter(({ code }) => code !== "");
  const byCode = Map.groupBy(refused, ({ operation, code }) => `${operation} ${code}`);
  return [...byCode.values()]
    .flatMap((counted) => {
      const [first] = counted;
      return first
        ? [{ operation: first.operation, code: first.code, requests: sum(counted) }]
        : [];
    })
    .toSorted(byRequests);
}

/** The number of requests in each range. */
function toCounts(rows: readonly Counted[]): number[] {
  const counts = RANGE_BOUNDS.map(() => 0);
  for (const { range, requests } of rows) {
    counts[range] = (counts[range] ?? 0) + requests;
  }
  return counts;
}

function sum(rows: readonly Counted[]): number {
  return rows.reduce((total, { requests }) => total + requests, 0);
}

/** Most requests first; ties in the order of the operations' names. */
function byRequests(one: Named, other: Named): number {
  return other.requests - one.requests || one.operation.localeCompare(other.operation, "en-US");
}
