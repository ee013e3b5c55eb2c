import { and, eq, sql } from "drizzle-orm";
import { countCardsByStatus, listDays } from "#lib/overview/internal/book-days.ts";
import { DAYS, readFloatDays } from "#lib/overview/float-days.ts";
import type { FloatDay } from "#lib/overview/float-days.ts";
import type { CardStatus } from "#lib/cards/card-state.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { getFloat } from "#lib/funds/float.ts";
import { toDaysLeft } from "#lib/overview/internal/forecast.ts";
import { DECLINE_REASONS } from "#lib/transactions/decline-rules.ts";
import type { DeclineReason } from "#lib/transactions/decline-rules.ts";
import { POSTED_WITHOUT_APPROVAL } from "#lib/transactions/transaction-kinds.ts";
import type { Float } from "#lib/funds/funds.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { readMoment } from "#lib/base/moment.ts";
import { toDayStart } from "#lib/base/time-zone.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";
import { transactions } from "#db/schema/cards.ts";
import { integrators } from "#db/schema/integrators.ts";
import { booksCheckpoints } from "#db/schema/ledger.ts";

/** The state of an account at a glance. */
export interface Overview {
  float: Float;
  /** The days asked for, oldest first, ending today. */
  days: FloatDay[];
  /** Why purchases in those days were declined, most frequent first. */
  declines: { reason: DeclineReason; count: number }[];
  /** How many purchases the card network posted without an approval in those days. */
  unapproved: number;
  /** Whether the float has a balance, or received money in the shown days or the last {@link DAYS}. */
  isFunded: boolean;
  /** Whether any card was ever used. */
  isUsed: boolean;
  /** Whole days the float lasts at the pace of the last {@link DAYS}; null without a forecast. */
  daysLeft: number | null;
  cards: Record<CardStatus, number>;
  books: { balanced: boolean; checkedAt: Date | null };
}

/**
 * @param timeZone decides where a day begins.
 * @param shownDays how many days the charts and counts cover.
 * @returns everything the first page shows, in two round trips.
 */
export async function getOverview(
  ctx: ReadContext,
  timeZone: string,
  shownDays = DAYS,
): Promise<Overview> {
  const [, { at: now }, float, used, cards, books] = await Promise.all([
    planByIndex(ctx),
    readMoment(ctx.db),
    getFloat(ctx),
    isUsed(ctx),
    countCardsByStatus(ctx),
    readBooks(ctx),
  ]);
  const [read, declines, unapproved] = await Promise.all([
    readFloatDays(ctx, { float, days: Math.max(shownDays, DAYS), timeZone, now }),
    countDeclines(ctx, { days: shownDays, timeZone, now }),
    countUnapproved(ctx, { days: shownDays, timeZone, now }),
  ]);
  const daysLeft = toDaysLeft(float.available, read.slice(-DAYS));
  const days = read.slice(-shownDays);
  const isFunded = float.balance > 0 || read.some(({ inflow }) => inflow > 0);
  return { float, days, declines, unapproved, isFunded, isUsed: used, daysLeft, cards, books };
}

interface LastDays {
  days: number;
  timeZone: string;
  now: Date;
}

/** The id of the first moment of the days that the overview counts. */
function toFirstId(query: LastDays): string {
  const [oldest = ""] = listDays(query);
  return firstIdAt(toDayStart(oldest, query.timeZone).getTime());
}

async function countUnapproved(ctx: ReadContext, query: LastDays): Promise<number> {
  const [row] = await ctx.db.execute<{ count: number }>(sql`
    select count(*)::float8 as count from unnest(${sql.param([...POSTED_WITHOUT_APPROVAL])}::text[]) as posted
    cross join lateral (
      select from transactions
      where integrator_id = ${ctx.actor.integratorId} and posted_as = posted and posted_as <> 'authorized'
        and id >= ${toFirstId(query)}::uuid
    ) as unapproved`);
  return row?.count ?? 0;
}

async function countDeclines(ctx: ReadContext, query: LastDays): Promise<Overview["declines"]> {
  const rows = await ctx.db.execute<{ reason: DeclineReason; count: number }>(sql`
    select reason, (
      select count(*)::float8 from transactions
      where integrator_id = ${ctx.actor.integratorId} and decline_reason = reason and id >= ${toFirstId(query)}::uuid
    ) as count
    from unnest(${sql.param([...DECLINE_REASONS])}::text[]) as reason`);
  return rows.filter(({ count: times }) => times > 0).toSorted((a, b) => b.count - a.count);
}

async function isUsed(ctx: ReadContext): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: transactions.id })
    .from(transactions)
    .where(
      and(eq(transactions.integratorId, ctx.actor.integratorId), eq(transactions.type, "deduct")),
    )
    // The order of the matching index: without it a sequential scan may look cheaper.
    .orderBy(transactions.status, transactions.id)
    .limit(1);
  return rows.length > 0;
}

async function readBooks(ctx: ReadContext): Promise<Overview["books"]> {
  const [row] = await ctx.db
    .select({ unbalancedAt: integrators.booksUnbalancedAt, checkedAt: booksCheckpoints.checkedAt })
    .from(integrators)
    .leftJoin(booksCheckpoints, eq(booksCheckpoints.id, 1))
    .where(eq(integrators.id, ctx.actor.integratorId));
  return { balanced: row?.unbalancedAt === null, checkedAt: row?.checkedAt ?? null };
}
