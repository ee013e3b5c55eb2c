import { and, count, eq, sql } from "drizzle-orm";
import type { CardStatus } from "#lib/card-state.ts";
import type { ReadContext } from "#lib/context.ts";
import { getFloat } from "#lib/float.ts";
import { DECLINE_REASONS } from "#lib/decline-rules.ts";
import type { DeclineReason } from "#lib/decline-rules.ts";
import type { Float } from "#lib/funds.ts";
import { firstIdAt } from "#lib/ids.ts";
import type { TransactionType } from "#lib/transaction-kinds.ts";
import { transactions } from "#db/schema/cards.ts";
import { integrators } from "#db/schema/integrators.ts";
import { booksCheckpoints, ledgerAccounts } from "#db/schema/ledger.ts";

/** What came into the float and left it on one day (UTC), and what was in it at the end. Minor units. */
export interface FloatDay {
  /** `2026-01-31` */
  day: string;
  cameIn: number;
  wentOut: number;
  closing: number;
}

/** What was bought on one day (UTC) and paid, and what of any purchase was given back. Minor units. */
export interface SpendingDay {
  /** `2026-01-31` */
  day: string;
  spent: number;
  refunded: number;
}

/** The state of an account at a glance. */
export interface Overview {
  float: Float;
  /** The last 30 days, the oldest first, today last. */
  days: FloatDay[];
  /** What was bought with the cards on the same days. */
  spending: SpendingDay[];
  /** Why purchases of those days were declined, the most frequent first. */
  declines: { reason: DeclineReason; count: number }[];
  /** Whether a card was ever used. */
  isUsed: boolean;
  /** Whole days the float lasts at the pace of those days; null while it does not shrink. */
  daysLeft: number | null;
  cards: Record<CardStatus, number>;
  books: { balanced: boolean; checkedAt: Date | null };
}

const DAYS = 30;
const DAY_MS = 86_400_000;

/** @returns everything the first page shows, read in a handful of statements. */
export async function getOverview(ctx: ReadContext): Promise<Overview> {
  const float = await getFloat(ctx);
  const days = await readDays(ctx, float);
  return {
    float,
    days,
    daysLeft: toDaysLeft(float, days),
    spending: await readSpending(ctx),
    declines: await countDeclines(ctx),
    isUsed: await isUsed(ctx),
    cards: await countCards(ctx),
    books: await readBooks(ctx),
  };
}

/**
 * Ids of transfers carry their time, so a day is a range of the key. The closing balances are worked out backwards from
 * the balance there is now.
 */
async function readDays(ctx: ReadContext, float: Float): Promise<FloatDay[]> {
  const today = new Date().toISOString().slice(0, 10);
  const first = new Date(Date.parse(today) - (DAYS - 1) * DAY_MS);
  const rows = await ctx.db.execute<{ day: string; came_in: number; went_out: number }>(sql`
    select to_char(to_timestamp(('x' || substr(replace(transfer_id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)
        at time zone 'UTC', 'YYYY-MM-DD') as day,
      coalesce(sum(amount) filter (where amount > 0), 0)::float8 as came_in,
      coalesce(-sum(amount) filter (where amount < 0), 0)::float8 as went_out
    from entries
    where integrator_id = ${ctx.actor.integratorId} and account_id = ${float.id}
      and transfer_id >= ${firstIdAt(first.getTime())}::uuid
    group by 1`);
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const days: FloatDay[] = [];
  let closing = float.balance;
  for (let back = 0; back < DAYS; back += 1) {
    const day = new Date(Date.parse(today) - back * DAY_MS).toISOString().slice(0, 10);
    const row = byDay.get(day);
    const cameIn = row?.came_in ?? 0;
    const wentOut = row?.went_out ?? 0;
    days.unshift({ day, cameIn, wentOut, closing });
    closing -= cameIn - wentOut;
  }
  return days;
}

/** Midnights (UTC), as milliseconds: those that the last days begin with, and the one to come. */
function toMidnights(): number[] {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return Array.from({ length: DAYS + 1 }, (_, day) => today + (day - DAYS + 1) * DAY_MS);
}

/**
 * A day is a range of one index that has the amounts in it, so that no row is looked at. A purchase counts on the day on
 * which it was made, as far as it has been paid.
 */
async function readSpending(ctx: ReadContext): Promise<SpendingDay[]> {
  const midnights = toMidnights();
  const sumOf = (type: TransactionType) => sql`(
    select coalesce(sum(amount), 0)::float8 from transactions
    where integrator_id = ${ctx.actor.integratorId} and type = ${type} and status = 'settled'
      and id >= day.first and id < day.next)`;
  const rows = await ctx.db.execute<{ spent: number; refunded: number }>(sql`
    select ${sumOf("deduct")} as spent, ${sumOf("deduct-reversal")} as refunded
    from unnest(${sql.param(midnights.slice(0, -1).map(firstIdAt))}::uuid[],
      ${sql.param(midnights.slice(1).map(firstIdAt))}::uuid[]) with ordinality as day (first, next, number)
    order by day.number`);
  return rows.map(({ spent, refunded }, index) => ({
    day: new Date(midnights[index] ?? 0).toISOString().slice(0, 10),
    spent,
    refunded,
  }));
}

async function countDeclines(ctx: ReadContext): Promise<Overview["declines"]> {
  const [first = 0] = toMidnights();
  const rows = await ctx.db.execute<{ reason: DeclineReason; count: number }>(sql`
    select reason, (
      select count(*)::float8 from transactions
      where integrator_id = ${ctx.actor.integratorId} and decline_reason = reason and id >= ${firstIdAt(first)}::uuid
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
    .limit(1);
  return rows.length > 0;
}

/** The pace is what left the float for good: what went out to cards less what came back from them. */
function toDaysLeft(float: Float, days: readonly FloatDay[]): number | null {
  const active = days.filter(({ cameIn, wentOut }) => cameIn + wentOut > 0);
  const [oldest] = active;
  if (!oldest) {
    return null;
  }
  const span = days.length - days.indexOf(oldest);
  const spent = active.reduce((sum, { wentOut }) => sum + wentOut, 0);
  return spent === 0 ? null : Math.floor(float.available / (spent / span));
}

async function countCards(ctx: ReadContext): Promise<Record<CardStatus, number>> {
  const rows = await ctx.db
    .select({ status: ledgerAccounts.status, cards: count() })
    .from(ledgerAccounts)
    .where(
      and(eq(ledgerAccounts.integratorId, ctx.actor.integratorId), eq(ledgerAccounts.kind, "card")),
    )
    .groupBy(ledgerAccounts.status);
  const of = (status: CardStatus) => rows.find((row) => row.status === status)?.cards ?? 0;
  return { active: of("active"), frozen: of("frozen"), closed: of("closed") };
}

async function readBooks(ctx: ReadContext): Promise<Overview["books"]> {
  const [row] = await ctx.db
    .select({ unbalancedAt: integrators.booksUnbalancedAt, checkedAt: booksCheckpoints.checkedAt })
    .from(integrators)
    .leftJoin(booksCheckpoints, eq(booksCheckpoints.id, 1))
    .where(eq(integrators.id, ctx.actor.integratorId));
  return { balanced: row?.unbalancedAt === null, checkedAt: row?.checkedAt ?? null };
}
