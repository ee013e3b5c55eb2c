import { and, eq } from "drizzle-orm";
import { countCardsByStatus, listDays } from "#lib/overview/internal/book-days.ts";
import { DAYS, readFloatDays } from "#lib/overview/float-days.ts";
import type { FloatDay } from "#lib/overview/float-days.ts";
import type { CardStatus } from "#lib/cards/card-state.ts";
import type { ReadContext } from "#lib/base/context.ts";
import { getFloat } from "#lib/funds/float.ts";
import { countDecisions } from "#lib/overview/internal/decisions.ts";
import type { Decisions } from "#lib/overview/internal/decisions.ts";
import {
  FORECAST_DAYS,
  toForecast,
  TOP_UP_DAYS,
  toTopUp,
} from "#lib/overview/internal/forecast.ts";
import type { Forecast } from "#lib/overview/internal/forecast.ts";
import type { Float } from "#lib/funds/funds.ts";
import { readMoment } from "#lib/base/moment.ts";
import { addDays, toDayStart } from "#lib/base/time-zone.ts";
import { planByIndex } from "#lib/base/plan-by-index.ts";
import { transactions } from "#db/schema/transactions.ts";
import { integrators } from "#db/schema/integrators.ts";
import { booksCheckpoints } from "#db/schema/ledger.ts";

/** The state of an account at a glance. */
export interface Overview {
  float: Float;
  /** The days asked for, oldest first, ending today. */
  days: FloatDay[];
  /** How authorization requests in those days were decided. */
  decisions: Decisions;
  /** Whether the float has a balance, or received money in the shown days or the last two months. */
  isFunded: boolean;
  /** Whether any card was ever used. */
  isUsed: boolean;
  /** When the float runs out without a top-up; null without a forecast. */
  forecast: Forecast | null;
  /** The suggested top-up in minor units, and the day until which the float then lasts; null if it needs none. */
  topUp: { amount: number; until: string } | null;
  cards: Record<CardStatus, number>;
  books: { balanced: boolean; checkedAt: Date | null };
}

/**
 * @param timeZone decides where a day begins.
 * @param shownDays how many days the charts and counts cover.
 * @returns everything the first page shows, in three round trips.
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
  const [oldest = ""] = listDays({ days: shownDays, timeZone, now });
  const [read, decisions] = await Promise.all([
    readFloatDays(ctx, { float, days: Math.max(shownDays, FORECAST_DAYS), timeZone, now }),
    countDecisions(ctx, toDayStart(oldest, timeZone)),
  ]);
  const forecast = toForecast(float.available, read.slice(-FORECAST_DAYS));
  const days = read.slice(-shownDays);
  const topUp = proposeTopUp(float, read.slice(-FORECAST_DAYS));
  const isFunded = float.balance > 0 || read.some(({ inflow }) => inflow > 0);
  return {
    float,
    days,
    decisions,
    isFunded,
    isUsed: used,
    forecast,
    topUp,
    cards,
    books,
  };
}

function proposeTopUp(
  { available, lowBalanceThreshold }: Float,
  days: readonly FloatDay[],
): Overview["topUp"] {
  const amount = toTopUp(available - (lowBalanceThreshold ?? 0), days);
  const today = days.at(-1)?.day;
  return amount === null || today === undefined
    ? null
    : { amount, until: addDays(today, TOP_UP_DAYS) };
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
