import { sql } from "drizzle-orm";
import type { ReadContext } from "#lib/base/context.ts";

/** How far back to look for a job that credited the same rows. */
const REMEMBERED_DAYS = 35;
const RECENT_HOURS = 24;

/** How many rows the list shows; those that deserve a look come first. */
const LISTED_MAX = 50;

/** A row above this multiple of the median amount stands out. */
const OUTLIER_TIMES = 10;

/** One planned credit. Amounts in minor units. */
export interface PlannedCredit {
  /** The position of its item, from 0. */
  position: number;
  cardName: string;
  last4: string;
  amount: number;
  /** The card's balance once this row and all earlier rows for the same card have been credited. */
  balanceAfter: number;
  /** Whether the amount is more than ten times the median. */
  isOutlier: boolean;
  /** Whether another row is for the same person. */
  isRepeated: boolean;
}

/** An earlier job that credited the same cards with the same amounts. */
export interface EarlierCredit {
  jobId: string;
  createdAt: Date;
  /** How many of the rows it has in common with the checked job. */
  rows: number;
  /** Whether it is so recent that the credits may have been sent twice by mistake. */
  isRecent: boolean;
}

/** The findings of the check of a credit to many cards. */
export interface CreditPreview {
  jobId: string;
  /** At most 50 rows; those that deserve a look come first. */
  planned: readonly PlannedCredit[];
  /** The newest job that shares at least half of the rows; null if there is none. */
  earlier: EarlierCredit | null;
}

/** Reads what the rows of a checked credit would do. Another integrator's job has no rows. */
export async function previewCredit(ctx: ReadContext, jobId: string): Promise<CreditPreview> {
  const [planned, earlier] = await Promise.all([readPlanned(ctx, jobId), findEarlier(ctx, jobId)]);
  return { jobId, planned, earlier };
}

async function readPlanned({ db, actor }: ReadContext, jobId: string): Promise<PlannedCredit[]> {
  const rows = await db.execute<{
    position: number;
    card_name: string;
    last4: string;
    amount: string;
    balance_after: string;
    is_outlier: boolean;
    is_repeated: boolean;
  }>(sql`
    with item as (
      select position, card_id, amount from bulk_items
      where integrator_id = ${actor.integratorId} and job_id = ${jobId} and state = 'done'),
    middle as (select percentile_cont(0.5) within group (order by amount) as amount from item)
    select item.position, card.card_name, card.last4, item.amount,
      account.balance + sum(item.amount) over (partition by item.card_id order by item.position) as balance_after,
      item.amount > ${OUTLIER_TIMES} * middle.amount as is_outlier,
      count(*) over (partition by card.cardholder_id) > 1 as is_repeated
    from item cross join middle
    join cards card on card.integrator_id = ${actor.integratorId} and card.id = item.card_id
    join ledger_accounts account on account.integrator_id = ${actor.integratorId} and account.id = item.card_id
    order by is_outlier desc, is_repeated desc, item.position
    limit ${LISTED_MAX}`);
  return [...rows].map((row) => ({
    position: row.position,
    cardName: row.card_name,
    last4: row.last4,
    amount: Number(row.amount),
    balanceAfter: Number(row.balance_after),
    isOutlier: row.is_outlier,
    isRepeated: row.is_repeated,
  }));
}

async function findEarlier(
  { db, actor }: ReadContext,
  jobId: string,
): Promise<EarlierCredit | null> {
  const [row] = await db.execute<{
    id: string;
    created_at: string;
    rows: string;
    is_recent: boolean;
  }>(sql`
    with mine as (
      select card_id, amount, count(*) as times from bulk_items
      where integrator_id = ${actor.integratorId} and job_id = ${jobId} and state = 'done'
      group by card_id, amount)
    select job.id, job.created_at, sum(least(mine.times, theirs.times)) as rows,
      job.created_at > now() - ${`${RECENT_HOURS} hours`}::interval as is_recent
    from bulk_jobs job
    join lateral (
      select card_id, amount, count(*) as times from bulk_items
      where integrator_id = job.integrator_id and job_id = job.id and state in ('done', 'waiting')
      group by card_id, amount) theirs on true
    join mine on mine.card_id = theirs.card_id and mine.amount = theirs.amount
    where job.integrator_id = ${actor.integratorId} and job.operation = 'credit' and not job.is_check
      and job.created_at > now() - ${`${REMEMBERED_DAYS} days`}::interval
    group by job.id, job.created_at
    having 2 * sum(least(mine.times, theirs.times)) >= (select sum(times) from mine)
    order by job.id desc limit 1`);
  return row
    ? {
        jobId: row.id,
        createdAt: new Date(row.created_at),
        rows: Number(row.rows),
        isRecent: row.is_recent,
      }
    : null;
}
