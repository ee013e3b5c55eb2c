import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { log } from "#lib/base/log.ts";
import {
  API_LOG_KEPT_DAYS,
  keepApiLog,
  readApiLogLag,
} from "#lib/operator/internal/api-log-partitions.ts";
import { IS_BOOKED, IS_MATCHABLE } from "#lib/processor/unmatched.ts";
import { inUpkeep, markCommit } from "#db/transaction.ts";
import type { Db } from "#db/client.ts";

/** How long records without a period of their own are kept; sessions end long before. */
const KEPT_DAYS = 30;
/** How long the API log keeps bodies, and its counts by hour. */
const BODIES_KEPT_DAYS = 7;
const HOURS_KEPT_DAYS = 2;
/** How long a sandbox inbox keeps what it received. */
const INBOX_KEPT_DAYS = 1;

/** Moves without approval count toward a limit for one day. */
const COUNTED_MOVES_KEPT_DAYS = 2;

/** A signing secret that was rotated out signs for a day. */
const PREVIOUS_SECRETS_KEPT_DAYS = 1;

/** The time between passes that have removed everything. */
const PERIOD_MS = 60_000;
const BATCH_ROWS = 2_000;

/**
 * Each pause takes this many times as long as its batch, so that removal uses at most half of one connection.
 */
const REST_RATIO = 1;

/** Rows that outlive their period by more than this are reported. */
const TOLERATED_S = 3_600;

/**
 * Which rows expire, after how many days, and what identifies one of several created at the same time. Attempts go with
 * their delivery.
 */
const TABLES = [
  {
    name: "idempotent_requests",
    days: KEPT_DAYS,
    id: sql`integrator_id || ' ' || key`,
    expired: sql`true`,
  },
  // Weeks of the API log are dropped as partitions. Here, rows outside of them are removed: rows from before there were
  // partitions, and rows whose ids belong to no week.
  { name: "api_log_earlier", days: API_LOG_KEPT_DAYS, id: sql`id::text`, expired: sql`true` },
  { name: "api_log_default", days: API_LOG_KEPT_DAYS, id: sql`id::text`, expired: sql`true` },
  { name: "api_log_bodies", days: BODIES_KEPT_DAYS, id: sql`id::text`, expired: sql`true` },
  {
    name: "api_log_hours",
    days: HOURS_KEPT_DAYS,
    id: sql`concat_ws(' ', integrator_id, hour, operation, code, range)`,
    expired: sql`true`,
  },
  {
    name: "unmatched_facts",
    days: KEPT_DAYS,
    id: sql`id::text`,
    // The others wait for the operator.
    expired: sql`(${IS_BOOKED} or not ${IS_MATCHABLE})`,
  },
  // Its items go with it.
  {
    name: "bulk_jobs",
    days: KEPT_DAYS,
    id: sql`integrator_id || ' ' || id`,
    expired: sql`state <> 'running'`,
  },
  { name: "sign_in_failures", days: KEPT_DAYS, id: sql`id::text`, expired: sql`true` },
  { name: "staff_sessions", days: KEPT_DAYS, id: sql`id::text`, expired: sql`true` },
  {
    name: "deprecated_calls",
    days: KEPT_DAYS,
    id: sql`integrator_id || ' ' || api_key_id || ' ' || operation || ' ' || day`,
    expired: sql`true`,
  },
  {
    name: "unapproved_moves",
    days: COUNTED_MOVES_KEPT_DAYS,
    id: sql`integrator_id || ' ' || id`,
    expired: sql`true`,
  },
  {
    name: "messages",
    days: KEPT_DAYS,
    id: sql`integrator_id || ' ' || id`,
    expired: sql`state <> 'waiting'`,
  },
  {
    name: "webhook_deliveries",
    days: KEPT_DAYS,
    id: sql`endpoint_id || ' ' || event_id`,
    expired: sql`state <> 'pending'`,
  },
  {
    name: "webhook_previous_secrets",
    days: PREVIOUS_SECRETS_KEPT_DAYS,
    id: sql`endpoint_id || ' ' || id`,
    expired: sql`true`,
  },
  {
    name: "inbox_notifications",
    days: INBOX_KEPT_DAYS,
    id: sql`integrator_id || ' ' || id`,
    expired: sql`true`,
  },
] as const;

/** Rows created before this have expired. The statement's start is stable, so the index on `created_at` applies. */
const toExpiry = ({ days }: Table) => sql`statement_timestamp() - make_interval(days => ${days})`;

type Table = (typeof TABLES)[number];

/**
 * How far behind a table is: for how long its oldest expired row should have been gone; 0 when there is none.
 */
export interface RetentionLag {
  table: string;
  seconds: number;
}

/** The tables that exist. The first partition of the API log is eventually dropped, like every other one. */
async function findTables(db: Db): Promise<Table[]> {
  const names = TABLES.map(({ name }) => name);
  const rows = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relname = any(${sql.param(names)})`);
  return TABLES.filter((table) => rows.some(({ name }) => name === table.name));
}

/** What the last check found. */
let lastLags: readonly RetentionLag[] = [];

/**
 * Removes expired rows from the start on, as fast as they are written, in small batches with pauses between
 * them. Any number of processes may run it.
 */
export function startRetention(db: Db): { stop(): void } {
  const stopped = new AbortController();
  void removeContinuously(db, stopped.signal);
  return { stop: () => stopped.abort() };
}

async function removeContinuously(db: Db, stopped: AbortSignal): Promise<void> {
  while (!isStopped(stopped)) {
    try {
      await noteLag(db);
      await removeExpired(db, stopped);
      await noteLag(db);
    } catch (error) {
      if (!isStopped(stopped)) {
        log.error({ err: error }, "Could not remove expired rows.");
      }
    }
    await rest(PERIOD_MS, stopped);
  }
}

async function rest(ms: number, stopped: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { ref: false, signal: stopped }).catch(() => undefined);
}

function isStopped(stopped: AbortSignal): boolean {
  return stopped.aborted;
}

const NEVER = new AbortController().signal;

/**
 * Removes everything that has expired by now.
 * @returns how many rows, not counting the attempts of deliveries and the rows of dropped partitions.
 */
export async function removeExpired(db: Db, stopped: AbortSignal = NEVER): Promise<number> {
  let removed = 0;
  for (const table of await findTables(db)) {
    // Each batch starts where the last one ended, because removed rows stay in the index until vacuum.
    let from: string | null = null;
    do {
      const started = performance.now();
      const batch = await removeBatch(db, table, from);
      removed += batch.removed;
      from = batch.removed === BATCH_ROWS ? batch.last : null;
      if (from !== null) {
        await rest((performance.now() - started) * REST_RATIO, stopped);
      }
    } while (from !== null && !isStopped(stopped));
  }
  await keepApiLog(db);
  return removed;
}

/** How many rows a batch removed, and the creation time and id of the last one. */
type Removed = { removed: number; last: string | null; last_id: string | null };

async function removeBatch(db: Db, expiring: Table, from: string | null): Promise<Removed> {
  const { name, id, expired } = expiring;
  const table = sql.identifier(name);
  return inUpkeep(db, async (tx) => {
    const [batch] = await tx.execute<Removed>(sql`
      with expired as (
        select ctid from ${table}
        where ${expired} and created_at < ${toExpiry(expiring)} and created_at >= coalesce(${from}::timestamptz, '-infinity')
        order by created_at limit ${BATCH_ROWS}
        for update skip locked
      ), removed as (
        delete from ${table} where ctid = any(array(select ctid from expired)) returning created_at, ${id} as id
      )
      select count(*)::int as removed, max(created_at)::text as last,
        (array_agg(id order by created_at desc))[1] as last_id
      from removed`);
    if (!batch || batch.removed === 0) {
      return { removed: 0, last: null, last_id: null };
    }
    markCommit(
      tx,
      sql`not exists (select from ${table} where created_at = ${batch.last}::timestamptz and ${id} = ${batch.last_id})`,
    );
    return batch;
  });
}

/** Stores how far behind each table is, and logs those more than an hour behind. */
async function noteLag(db: Db): Promise<void> {
  const lags = await readRetentionLag(db);
  lastLags = lags;
  for (const lag of lags.filter(({ seconds }) => seconds > TOLERATED_S)) {
    log.warn({ lag }, "Rows are kept longer than they should be.");
  }
}

/** How far behind each table is now. */
export async function readRetentionLag(db: Db): Promise<RetentionLag[]> {
  const lags: RetentionLag[] = [{ table: "api_log", seconds: await readApiLogLag(db) }];
  for (const table of await findTables(db)) {
    const { name, expired } = table;
    const [row] = await db.execute<{ seconds: number }>(sql`
      select coalesce(extract(epoch from ${toExpiry(table)} - (
        select created_at from ${sql.identifier(name)}
        where ${expired} and created_at < ${toExpiry(table)}
        order by created_at limit 1
      )), 0)::float8 as seconds`);
    lags.push({ table: name, seconds: row?.seconds ?? 0 });
  }
  return lags;
}

/** How far behind each table was at the last check; empty before the first one. */
export function toLastLags(): readonly RetentionLag[] {
  return lastLags;
}

/** Which tables were more than an hour behind at the last check, one sentence each. */
export function toRetentionWarnings(): string[] {
  return lastLags
    .filter(({ seconds }) => seconds > TOLERATED_S)
    .map(
      ({ table, seconds }) =>
        `Rows of ${table} are kept ${(seconds / 3_600).toFixed(1)} h longer than they should be.`,
    );
}
