import { and, asc, eq, gte, sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { entries, transfers } from "#db/schema/ledger.ts";

/** A range of an account's entries by version: `after` is exclusive, `through` inclusive. */
export interface VersionRange {
  after: number;
  through: number;
}

/**
 * Finds the range of an account's entries posted in a period, from the cursor on. Entries are numbered without a gap
 * and in the order of time: their writer locks the account first, and then reads the clock that goes into the
 * transfer's id. So a binary search finds a moment among them, in about twenty look-ups for a million entries.
 */
export async function findVersionRange(
  ctx: ReadContext,
  accountId: string,
  {
    from,
    to,
    before,
  }: { from?: Date | undefined; to?: Date | undefined; before?: number | undefined },
): Promise<VersionRange> {
  const last = await findLastVersion(ctx, accountId);
  const ends = [from, to].flatMap((at) => at ?? []);
  const found = await findLastBefore(ctx, accountId, { ends, last });
  const through = (to && found.at(-1)) ?? last;
  return {
    after: (from && found[0]) ?? 0,
    through: before === undefined ? through : Math.min(through, before - 1),
  };
}

/** The account's balance right before each of these moments, in minor units. */
export async function readBalancesBefore(
  ctx: ReadContext,
  accountId: string,
  ends: readonly Date[],
): Promise<number[]> {
  const last = await findLastVersion(ctx, accountId);
  return readBalances(ctx, accountId, await findLastBefore(ctx, accountId, { ends, last }));
}

async function findLastVersion(ctx: ReadContext, accountId: string): Promise<number> {
  const [row] = await ctx.db.execute<{ version: number }>(sql`
    select account_version::float8 as version from ${entries}
    where integrator_id = ${ctx.actor.integratorId} and account_id = ${accountId} and account_version is not null
    order by account_version desc limit 1`);
  return row?.version ?? 0;
}

/** The transfer of the first entry from a version on; undefined beyond the end. */
export async function findLine(
  ctx: ReadContext,
  accountId: string,
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
        eq(entries.accountId, accountId),
        gte(entries.accountVersion, version),
      ),
    )
    .orderBy(asc(entries.accountVersion))
    .limit(1);
  return line;
}

/** The account's balance right after each of these versions, in minor units; before its first entry, 0. */
export async function readBalances(
  ctx: ReadContext,
  accountId: string,
  versions: readonly number[],
): Promise<number[]> {
  const rows = await ctx.db.execute<{ version: number; balance: number }>(sql`
    select account_version::float8 as version, balance_after::float8 as balance from ${entries}
    where integrator_id = ${ctx.actor.integratorId} and account_id = ${accountId}
      and account_version = any(${sql.param(versions.map(String))}::text[]::bigint[])`);
  return versions.map((version) => rows.find((row) => row.version === version)?.balance ?? 0);
}

/**
 * The version of the last entry before each moment; 0 if there is none. The search starts from a power of two, so it
 * probes the same versions however many entries follow. Even if the database's clock was once set back, later entries
 * cannot change its result: adjacent periods share their boundary, and a past period keeps its entries.
 */
async function findLastBefore(
  ctx: ReadContext,
  accountId: string,
  { ends, last }: { ends: readonly Date[]; last: number },
): Promise<number[]> {
  if (ends.length === 0) {
    return [];
  }
  const ids = ends.map((end) => firstIdAt(end.getTime()));
  const rows = await ctx.db.execute<{ version: number }>(sql`
    with recursive halves (nth, first_id, low, high) as (
      select nth, first_id::uuid, 0::bigint, ${2 ** Math.ceil(Math.log2(last + 1))}::bigint
      from unnest(${sql.param(ids)}::text[]) with ordinality as moment (first_id, nth)
      union all
      select nth, first_id, case when is_before then middle else low end, case when is_before then high else middle end
      from halves
      cross join lateral (select (low + high) / 2 as middle) as half
      cross join lateral (
        select coalesce((
          select e.transfer_id < first_id from ${entries} e
          where e.integrator_id = ${ctx.actor.integratorId} and e.account_id = ${accountId} and e.account_version = middle
        ), false) as is_before
      ) as line
      where high - low > 1
    )
    select low::float8 as version from halves where high - low <= 1 order by nth`);
  return rows.map(({ version }) => version);
}
