import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { countDeclines } from "#lib/overview/declines.ts";
import type { DeclineCount } from "#lib/overview/declines.ts";
import { POSTED_WITHOUT_APPROVAL } from "#lib/transactions/transaction-kinds.ts";

/** How authorization requests since some moment were decided, and what was posted without one. */
export interface Decisions {
  /** Why requests were declined, most frequent first. */
  declines: DeclineCount[];
  /** How many purchases the card network posted without an approval. */
  unapproved: number;
  rate: DeclineRate;
}

/** How many authorization requests were declined, among the latest {@link RATED_TRANSACTIONS} transactions. */
interface DeclineRate {
  declined: number;
  decided: number;
  /** Whether the limit was reached, so that there may be earlier requests. */
  isPartial: boolean;
}

/**
 * The decline rate needs the approvals too, which no index counts. With this limit, counting takes a few milliseconds, however
 * many transactions an account has.
 */
const RATED_TRANSACTIONS = 10_000;

/**
 * Counts decisions by index; to be called after `planByIndex`.
 * @param since the beginning of the first day that counts.
 */
export async function countDecisions(
  ctx: ReadContext,
  since: Date,
  ratedTransactions = RATED_TRANSACTIONS,
): Promise<Decisions> {
  const firstId = firstIdAt(since.getTime());
  const [declines, unapproved, rate] = await Promise.all([
    countDeclines(ctx, { from: since }),
    countUnapproved(ctx, firstId),
    readDeclineRate(ctx, firstId, ratedTransactions),
  ]);
  return { declines, unapproved, rate };
}

async function countUnapproved(ctx: ReadContext, firstId: string): Promise<number> {
  const [row] = await ctx.db.execute<{ count: number }>(sql`
    select count(*)::float8 as count from unnest(${sql.param([...POSTED_WITHOUT_APPROVAL])}::text[]) as posted
    cross join lateral (
      select from transactions
      where integrator_id = ${ctx.actor.integratorId} and posted_as = posted and posted_as <> 'authorized'
        and id >= ${firstId}::uuid
    ) as unapproved`);
  return row?.count ?? 0;
}

/** A further capture of an authorization, a posting without one, and the reversal of a refund were never decided. */
async function readDeclineRate(
  ctx: ReadContext,
  firstId: string,
  limit: number,
): Promise<DeclineRate> {
  const [row] = await ctx.db.execute<DeclineRate & Record<string, unknown>>(sql`
    select count(*) filter (where status = 'declined')::float8 as declined,
      count(*) filter (where type in ('deduct', 'verification') and (status = 'declined'
        or authorization_id is null and takes_back is null
          and posted_as is distinct from 'without_authorization'))::float8 as decided,
      count(*) = ${limit}::int as "isPartial"
    from (
      select type, status, authorization_id, takes_back, posted_as from transactions
      where integrator_id = ${ctx.actor.integratorId} and id >= ${firstId}::uuid
      order by id desc limit ${limit}::int
    ) as latest`);
  return row ?? { declined: 0, decided: 0, isPartial: false };
}
