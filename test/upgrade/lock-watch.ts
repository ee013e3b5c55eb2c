import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Sql } from "postgres";

/** What a migration did to everybody else, sampled every few milliseconds. */
export interface LockReport {
  /** The longest that any other session waited for a lock, and what for. */
  longestWait: { ms: number; query: string };
  /** The longest that the migration held each table in a mode that keeps others from writing. */
  held: { table: string; mode: string; ms: number }[];
  /** The slowest statements of the migration. */
  statements: { ms: number; query: string }[];
}

const PERIOD_MS = 20;
const SHOWN_MAX = 12;

/** Watches the locks of a database until it is stopped. */
export function watchLocks(ownerUrl: string): { stop(): Promise<LockReport> } {
  const stopped = new AbortController();
  const { signal } = stopped;
  const waits = new Map<string, { ms: number; query: string }>();
  const held = new Map<string, { table: string; mode: string; ms: number }>();
  const statements = new Map<string, { ms: number; query: string }>();
  const work = async () => {
    const sql = postgres(ownerUrl, {
      max: 1,
      onnotice: () => undefined,
      connection: { application_name: "lock watch" },
    });
    try {
      while (!signal.aborted) {
        for (const row of await readWaits(sql)) {
          keep(waits, row.session, row);
        }
        for (const row of await readHeld(sql)) {
          keep(held, `${row.began} ${row.table} ${row.mode}`, row);
        }
        for (const row of await readStatements(sql)) {
          keep(statements, row.began, row);
        }
        await sleep(PERIOD_MS);
      }
    } finally {
      await sql.end({ timeout: 1 });
    }
  };
  const working = work();
  // When the database ends first, whoever stops the watch hears of it.
  working.catch(() => undefined);
  return {
    stop: async () => {
      stopped.abort();
      await working;
      const [longestWait = { ms: 0, query: "" }] = toSlowest(waits);
      return { longestWait, held: toSlowest(held), statements: toSlowest(statements) };
    },
  };
}

function keep<Row extends { ms: number }>(into: Map<string, Row>, key: string, row: Row): void {
  if (row.ms >= (into.get(key)?.ms ?? 0)) {
    into.set(key, row);
  }
}

function toSlowest<Row extends { ms: number }>(rows: Map<string, Row>): Row[] {
  return [...rows.values()].toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN_MAX);
}

/** The sessions that wait for a lock. Row locks that programs hold for each other are among them. */
function readWaits(sql: Sql) {
  return sql<{ session: string; ms: number; query: string }[]>`
    select a.pid || ' ' || a.query_start as session,
      extract(epoch from clock_timestamp() - l.waitstart)::float8 * 1000 as ms,
      a.application_name || ': ' || left(a.query, 120) as query
    from pg_stat_activity a join pg_locks l on l.pid = a.pid and not l.granted
    where l.waitstart is not null and a.datname = current_database()
      and a.application_name not in ('floatdeck migration', 'lock watch')`;
}

/** Which tables the migration keeps from being written, and for how long its transaction has gone on. */
function readHeld(sql: Sql) {
  return sql<{ began: string; table: string; mode: string; ms: number }[]>`
    select a.xact_start::text as began, c.relname as table, l.mode,
      extract(epoch from clock_timestamp() - a.xact_start)::float8 * 1000 as ms
    from pg_locks l join pg_stat_activity a using (pid) join pg_class c on c.oid = l.relation
    where a.application_name = 'floatdeck migration' and l.granted and c.relkind in ('r', 'p')
      and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
      and c.relnamespace = 'public'::regnamespace`;
}

function readStatements(sql: Sql) {
  return sql<{ began: string; ms: number; query: string }[]>`
    select query_start::text as began,
      extract(epoch from clock_timestamp() - query_start)::float8 * 1000 as ms, left(query, 160) as query
    from pg_stat_activity where application_name = 'floatdeck migration' and state = 'active'`;
}
