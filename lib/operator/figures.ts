import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { IS_BOOKED } from "#lib/processor/unmatched.ts";
import type { UnmatchedReason } from "#lib/processor/unmatched.ts";
import type { SnapshotBounds } from "#lib/operator/feed-delay.ts";
import { countServers, countWorkers } from "#lib/operator/processes.ts";
import type { DeliveryState } from "#lib/webhooks/delivery-states.ts";
import { countInFlight, inFlightMaxOf, waitingEndpoints } from "#lib/webhooks/waiting-endpoints.ts";
import { BY_INDEX } from "#db/by-index.ts";
import type { Db } from "#db/client.ts";
import { inSnapshot } from "#db/long-transactions.ts";
import type { Tx } from "#db/transaction.ts";
import { timeLimit } from "#db/time-limits.ts";

/** No figure counts more rows than this, so that none takes longer as the tables grow. */
export const COUNTED_MAX = 10_000;

/** The settings of a connection that reads figures. */
export const FIGURES_SETTINGS = { application_name: "floatdeck metrics" } as const;

/**
 * Figures are read with a short time limit, and by index only. These settings last for one transaction, because a
 * pooler keeps none for longer.
 */
const PLANNED = sql`
  select set_config('statement_timeout', ${String(timeLimit("figures"))}, true), ${BY_INDEX}, set_config('enable_bitmapscan', 'off', true)`;

/** What the database says about the whole installation. Ages in seconds. */
export interface Figures {
  /** Up to `COUNTED_MAX` each. Delivered ones are not counted: nearly all of them are. */
  deliveries: Readonly<Record<Exclude<DeliveryState, "delivered">, number>>;
  /** The age of the oldest pending delivery; 0 without one. A lower bound once `COUNTED_MAX` are pending. */
  oldestPending: number;
  /**
   * How long ago the most overdue delivery could have been attempted; 0 without one. A delivery that waits only because
   * its endpoint has as many attempts in flight as it may have is not overdue: further workers would not help.
   */
  overdue: number;
  /** Messages to people that wait to be sent, and those that failed in the last day; up to `COUNTED_MAX` each. */
  messages: Readonly<Record<"waiting" | "failed", number>>;
  /** The age of the oldest waiting message; 0 without one. */
  oldestMessage: number;
  workers: number;
  servers: number;
  /** For how long the operator has stopped all changes; 0 while they are allowed. */
  changesStopped: number;
  /** The ages of the ledger checks; null before the first one. */
  checkAge: number | null;
  fullCheckAge: number | null;
  unbalancedIntegrators: number;
  /** The messages of the card network that are not in the books, by reason, up to `COUNTED_MAX` in all. */
  unmatchedFacts: Readonly<Record<UnmatchedReason, number>>;
  /** How far into the future the API log has partitions. */
  apiLogAhead: number;
  /** Rows of the API log that belong to no partition's week, up to `COUNTED_MAX`. */
  apiLogStray: number;
  /** Connections that PostgreSQL still has for roles like the server's, without those that it reserves. */
  connectionsFree: number;
  /** The size of the database, without the WAL. */
  sizeBytes: number;
  /** The position of the feed of events, and its position if nothing held it back. */
  feed: SnapshotBounds;
}

type Row = Record<
  | "pending"
  | "exhausted"
  | "stopped"
  | "oldest"
  | "overdue"
  | "messages_waiting"
  | "messages_failed"
  | "oldest_message"
  | "workers"
  | "servers"
  | "changes_stopped"
  | "unbalanced"
  | "ahead"
  | "stray"
  | "connections_free"
  | "size",
  number
> &
  Record<"check_age" | "full_check_age", number | null> &
  Record<"feed_from" | "feed_until", string> & {
    unmatched: Partial<Record<UnmatchedReason, number>>;
  };

const NONE_UNMATCHED: Readonly<Record<UnmatchedReason, number>> = {
  authorization_not_found: 0,
  card_not_found: 0,
  transaction_not_found: 0,
  card_conflict: 0,
  currency_mismatch: 0,
  reference_reused: 0,
  refused: 0,
  not_recorded: 0,
};

/** Reads the figures in one snapshot. */
export async function readFigures(db: Db): Promise<Figures> {
  const row = await inSnapshot(db, async (tx) => {
    await tx.execute(PLANNED);
    return readRow(tx);
  });
  return {
    deliveries: { pending: row.pending, exhausted: row.exhausted, stopped: row.stopped },
    oldestPending: row.oldest,
    overdue: row.overdue,
    messages: { waiting: row.messages_waiting, failed: row.messages_failed },
    oldestMessage: row.oldest_message,
    workers: row.workers,
    servers: row.servers,
    changesStopped: row.changes_stopped,
    checkAge: row.check_age,
    fullCheckAge: row.full_check_age,
    unbalancedIntegrators: row.unbalanced,
    unmatchedFacts: { ...NONE_UNMATCHED, ...row.unmatched },
    apiLogAhead: row.ahead,
    apiLogStray: row.stray,
    connectionsFree: row.connections_free,
    sizeBytes: row.size,
    feed: { from: BigInt(row.feed_from), until: BigInt(row.feed_until) },
  };
}

async function readRow(tx: Tx): Promise<Row> {
  const [row] = await tx.execute<Row>(sql`
    with recursive ${waitingEndpoints()}, pending as (
      select created_at from webhook_deliveries where state = 'pending' limit ${COUNTED_MAX}
    ), missed as (
      select state from webhook_deliveries where state in ('exhausted', 'stopped') limit ${COUNTED_MAX}
    ), unsent as (
      select created_at from messages where state = 'waiting' limit ${COUNTED_MAX}
    ), unsendable as (
      select from messages
      where state = 'failed' and created_at > statement_timestamp() - interval '1 day' limit ${COUNTED_MAX}
    ), stray as (
      select id from api_log_default limit ${COUNTED_MAX}
    ), unmatched as (
      select reason from unmatched_facts where not ${IS_BOOKED} limit ${COUNTED_MAX}
    ), checks as (
      select ${toAge(sql`max(checked_at)`)} as age, ${toAge(sql`max(full_checked_at)`)} as full_age from books_checkpoints
    )
    select
      (select count(*) from pending)::int as pending,
      (select coalesce(${toAge(sql`min(created_at)`)}, 0) from pending) as oldest,
      (select greatest(coalesce(${toAge(sql`min(w.due_at)`)}, 0), 0)
        from waiting w join webhook_endpoints e on e.id = w.endpoint_id
        where ${countInFlight(sql`w.endpoint_id`)} < ${inFlightMaxOf(sql`e`)}) as overdue,
      (select count(*) from missed where state = 'exhausted')::int as exhausted,
      (select count(*) from missed where state = 'stopped')::int as stopped,
      (select count(*) from unsent)::int as messages_waiting,
      (select coalesce(${toAge(sql`min(created_at)`)}, 0) from unsent) as oldest_message,
      (select count(*) from unsendable)::int as messages_failed,
      ${countWorkers()} as workers,
      ${countServers()} as servers,
      coalesce((select ${toAge(sql`read_only_since`)} from installation), 0) as changes_stopped,
      (select count(*) from integrators where books_unbalanced_at is not null)::int as unbalanced,
      (select coalesce(json_object_agg(reason, counted), '{}')
        from (select reason, count(*)::int as counted from unmatched group by reason) as reasons) as unmatched,
      (select coalesce(extract(epoch from max(ends_at) - statement_timestamp()), 0)::float8 from api_log_partitions()) as ahead,
      (select count(*) from stray)::int as stray,
      ${countFreeConnections()} as connections_free,
      pg_database_size(current_database()) as size,
      feed_horizon()::text as feed_from,
      (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + feed_base())::text as feed_until,
      checks.age as check_age, checks.full_age as full_check_age
    from checks`);
  if (!row) {
    throw new Error("The figures have no row.");
  }
  return row;
}

/**
 * The connections that are neither in use nor reserved; superusers may use more. A session counts if it has a user and
 * a database, because background processes of PostgreSQL lack one of them, and the purpose of a session is hidden from
 * the server's role.
 */
export function countFreeConnections(): SQL {
  return sql`greatest(0,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0)
      - (select count(*) from pg_stat_activity where usesysid is not null and datid is not null))::int`;
}

function toAge(at: ReturnType<typeof sql>) {
  return sql`extract(epoch from statement_timestamp() - ${at})::float8`;
}
