import { and, asc, eq, gte, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { entries, transfers } from "#db/schema/ledger.ts";

/** The lines of a statement after one version, through another. */
export interface VersionRange {
  after: number;
  through: number;
}

/**
 * The lines posted in a period, from the cursor on. Lines are numbered in the order of time and without a gap, so a
 * binary search finds a moment's place among them, in some twenty look-ups for a million lines.
 */
export async function findVersionRange(
  ctx: ReadContext,
  floatId: string,
  {
    from,
    to,
    before,
  }: { from?: Date | undefined; to?: Date | undefined; before?: number | undefined },
): Promise<VersionRange> {
  const last = await findLastVersion(ctx, floatId);
  const through = to ? await findLastBefore(ctx, floatId, { at: to, last }) : last;
  return {
    after: from ? await findLastBefore(ctx, floatId, { at: from, last }) : 0,
    through: before === undefined ? through : Math.min(through, before - 1),
  };
}

async function findLastVersion(ctx: ReadContext, floatId: string): Promise<number> {
  const [row] = await ctx.db.execute<{ version: number }>(sql`
    select account_version::float8 as version from ${entries}
    where integrator_id = ${ctx.actor.integratorId} and account_id = ${floatId} and account_version is not null
    order by account_version desc limit 1`);
  return row?.version ?? 0;
}

/** The transfer of the first line from a version on; undefined beyond the end. */
export async function findLine(
  ctx: ReadContext,
  floatId: string,
  version: number,
): Promise<{ id: string; at: Date } | undefined> {
  const [line] = await ctx.db
    .select({ id: transfers.id, at: transfers.createdAt })
    .from(entries)
    .innerJoin(
      transfers,
      and(eq(transfers.integratorId, entries.integratorId), eq(transfers.id, entries.transferId)),
    )
    .where(
      and(
        eq(entries.integratorId, ctx.actor.integratorId),
        eq(entries.accountId, floatId),
        gte(entries.accountVersion, version),
      ),
    )
    .orderBy(asc(entries.accountVersion))
    .limit(1);
  return line;
}

/** The version of the last line before a moment; 0 if there is none. */
async function findLastBefore(
  ctx: ReadContext,
  floatId: string,
  { at, last }: { at: Date; last: number },
): Promise<number> {
  const [row] = await ctx.db.execute<{ version: number }>(sql`
    with recursive halves (low, high) as (
      select 0::bigint, ${last}::bigint + 1
      union all
      select case when is_before then middle else low end, case when is_before then high else middle end
      from halves
      cross join lateral (select (low + high) / 2 as middle) as half
      cross join lateral (
        select e.transfer_id < ${firstIdAt(at.getTime())}::uuid as is_before from ${entries} e
        where e.integrator_id = ${ctx.actor.integratorId} and e.account_id = ${floatId} and e.account_version = middle
      ) as line
      where high - low > 1
    )
    select low::float8 as version from halves where high - low <= 1`);
  return row?.version ?? 0;
}
