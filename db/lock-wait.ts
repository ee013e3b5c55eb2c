import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { connect } from "./connect.ts";
import { databaseCode } from "./failures.ts";
import { timeLimit } from "./time-limits.ts";

/**
 * How long a statement waits for a lock; everything queued behind it waits as long. Shorter than PostgreSQL's
 * `deadlock_timeout`, so that a migration gives way before it makes another transaction fail.
 */
export const LOCK_TIMEOUT_MS = 500;
/** The pause between two attempts, which lets queued statements proceed. */
const PAUSE_MS = 250;
const LOOK_MS = 250;
const QUERY_SHOWN_MAX = 200;
/** The name of the sessions that migrate in `pg_stat_activity`. */
export const MIGRATION_APPLICATION = "floatdeck migration";

/** The total time to wait for locks, and where to report a wait. */
export interface LockWait {
  timeoutMs: number;
  /** Called with a sentence when a wait becomes long. */
  report(sentence: string): void;
}

/** Other sessions held locks for too long. Its message is one sentence that names them. */
export class LockedDatabase extends Error {}

/**
 * Runs work that needs locks, and retries while others hold them or change the same tables, with `lock_timeout` set
 * on its connection. The work must leave nothing behind when a lock is refused.
 * @throws LockedDatabase when others still hold the locks at the end.
 */
export async function waitForLocks<T>(
  { url, client, wait }: { url: string; client: Sql; wait: LockWait },
  work: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + wait.timeoutMs;
  let holders = "";
  for (;;) {
    const observer = observe(url, client);
    try {
      return await work();
    } catch (error) {
      if (!isRefusal(error)) {
        throw error;
      }
      const seen = await observer.seen();
      if (performance.now() >= deadline) {
        throw toLockedDatabase(wait, seen || holders || "another session", error);
      }
      if (seen && seen !== holders) {
        wait.report(`The migration is waiting for ${seen}.`);
      }
      holders = seen || holders;
    } finally {
      await observer.stop();
    }
    await sleep(PAUSE_MS);
  }
}

/** @param holders names the sessions that hold the locks. */
export function toLockedDatabase(
  { timeoutMs }: LockWait,
  holders: string,
  cause?: unknown,
): LockedDatabase {
  return new LockedDatabase(
    `The database could not be migrated within ${Math.round(timeoutMs / 1_000)} s: it is locked by ${holders}. End that, and start again.`,
    { cause },
  );
}

/** lock_not_available, deadlock_detected. */
const REFUSALS: ReadonlySet<string> = new Set(["55P03", "40P01"]);

/**
 * PostgreSQL's message when another session changed the description of the same table in the meantime. It has no code
 * of its own.
 */
const CHANGED_MEANWHILE = /tuple concurrently (?:updated|deleted)/u;

function isRefusal(error: unknown): boolean {
  const isChangedMeanwhile = error instanceof Error && CHANGED_MEANWHILE.test(error.message);
  return isChangedMeanwhile || REFUSALS.has(databaseCode(error) ?? "");
}

/** Observes over a separate connection which sessions block the client. */
function observe(url: string, client: Sql): { seen(): Promise<string>; stop(): Promise<void> } {
  const stopped = new AbortController();
  const { signal } = stopped;
  let last = "";
  const look = async () => {
    const [self] = await client<{ pid: number }[]>`select pg_backend_pid() as pid`;
    await sleep(LOOK_MS, undefined, { signal });
    const eye = connect(url, {
      max: 1,
      connect_timeout: timeLimit("connectOnce") / 1_000,
      onnotice: () => undefined,
    });
    try {
      while (!signal.aborted) {
        last = (await nameBlockers(eye, self?.pid ?? 0)) || last;
        await sleep(LOOK_MS, undefined, { signal });
      }
    } finally {
      await eye.end({ timeout: 1 });
    }
  };
  // If this fails, the wait is unaffected; only its reason stays unknown.
  const looked = look().catch(() => undefined);
  const stop = async () => {
    stopped.abort();
    await looked;
  };
  return {
    stop,
    seen: async () => {
      await stop();
      return last;
    },
  };
}

/** A row of `pg_stat_activity`. */
export interface Session {
  pid: number;
  application: string | null;
  role: string | null;
  state: string | null;
  query: string | null;
}

async function nameBlockers(client: Sql, pid: number): Promise<string> {
  const rows = await client<Session[]>`
    select pid, application_name as application, usename as role, state, query
    from pg_stat_activity where pid = any(pg_blocking_pids(${pid})) order by pid`;
  return rows.map(describeSession).join("; ");
}

/** A session as an operator finds it. */
export function describeSession({ pid, application, role, state, query }: Session): string {
  const text = query?.replaceAll(/\s+/gu, " ").trim().slice(0, QUERY_SHOWN_MAX);
  return `process ${pid} (${application || "unnamed application"}, role ${role ?? "unknown"}, ${state ?? "state unknown"}, query: ${text || "none"})`;
}
