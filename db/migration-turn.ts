import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { MIGRATION_APPLICATION, describeSession, toLockedDatabase } from "./lock-wait.ts";
import type { LockWait, Session } from "./lock-wait.ts";

const LOOK_MS = 250;

/**
 * Takes the lock that lets one process at a time migrate. It belongs to the client's session. Waits for as long as
 * another server that holds the lock is at work, and reports the wait again each time `timeoutMs` passes.
 * @throws LockedDatabase when the session that holds the lock has not been at work for `timeoutMs`.
 */
export async function takeMigrationTurn(client: Sql, lock: number, wait: LockWait): Promise<void> {
  let deadline = performance.now() + wait.timeoutMs;
  let reported = { pid: 0, at: 0 };
  // A statement that waited for the lock would hold a snapshot, and a concurrent build waits for all snapshots.
  while (!(await isTaken(client, lock))) {
    const holder = await findHolder(client, lock);
    const now = performance.now();
    if (holder?.isAtWork) {
      deadline = now + wait.timeoutMs;
    }
    if (holder && now >= deadline) {
      throw toLockedDatabase(wait, describeSession(holder));
    }
    if (holder && (holder.pid !== reported.pid || now >= reported.at + wait.timeoutMs)) {
      reported = { pid: holder.pid, at: now };
      wait.report(toSentence(holder));
    }
    await sleep(LOOK_MS);
  }
}

async function isTaken(client: Sql, lock: number): Promise<boolean> {
  const [row] = await client<{ taken: boolean }[]>`select pg_try_advisory_lock(${lock}) as taken`;
  return row?.taken === true;
}

interface Holder extends Session {
  /** Whether it is another server that is running a statement. Each such statement ends on its own. */
  isAtWork: boolean;
}

/** @returns the session that has the lock; none when it has just been released. */
async function findHolder(client: Sql, lock: number): Promise<Holder | undefined> {
  // A statement that waits for a lock ends at its lock_timeout. Only the wait for a standby has no end.
  const [holder] = await client<Holder[]>`
    select pid, application_name as application, usename as role, state, query,
      coalesce(application_name = ${MIGRATION_APPLICATION} and state = 'active'
        and wait_event is distinct from 'SyncRep', false) as "isAtWork"
    from pg_locks join pg_stat_activity using (pid)
    where locktype = 'advisory' and granted and classid = 0 and objid = ${lock} and objsubid = 1
      and pg_locks.database = (select oid from pg_database where datname = current_database())`;
  return holder;
}

function toSentence(holder: Holder): string {
  const whom = describeSession(holder);
  return holder.isAtWork
    ? `Another server is migrating the database. Waiting until it is done: ${whom}.`
    : `The migration is waiting for ${whom}.`;
}
