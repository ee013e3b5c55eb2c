import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { connect } from "./connect.ts";
import { LOCK_TIMEOUT_MS } from "./lock-wait.ts";
import { MIGRATION_LOCK } from "./migrate.ts";
import { timeLimit } from "./time-limits.ts";

const POLL_MS = 50;

/**
 * Removes every table and function of Floatdeck, as if no server had ever been started with this database: append-only
 * rows cannot be removed otherwise. What other roles own stays.
 * @param ownerUrl connects to PostgreSQL directly, as the role that owns the tables.
 * @throws Error with one sentence while anything else is connected to the database. Nothing is removed then.
 */
export async function emptyDatabase(ownerUrl: string): Promise<void> {
  const client = connect(ownerUrl, {
    max: 1,
    connect_timeout: timeLimit("connectOnce") / 1_000,
    onnotice: () => undefined,
    connection: { lock_timeout: LOCK_TIMEOUT_MS },
  });
  try {
    // A server that starts meanwhile waits for this lock, and finds an empty database then.
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await requireAlone(client);
    await client.unsafe(REMOVE);
  } finally {
    await client.end({ timeout: 2 });
  }
}

async function requireAlone(client: Sql): Promise<void> {
  const until = performance.now() + timeLimit("closedSessions");
  let others = await countOthers(client);
  while (others > 0 && performance.now() < until) {
    await sleep(POLL_MS);
    others = await countOthers(client);
  }
  if (others > 0) {
    throw new Error(
      `The database is in use by ${others} other ${others === 1 ? "session" : "sessions"}. Stop every server and worker of this installation, then try again. Nothing was removed.`,
    );
  }
}

/**
 * Counts the other sessions. Sessions of other roles show less about themselves: every one with a user counts unless
 * it is known to be a background process.
 */
async function countOthers(client: Sql): Promise<number> {
  const [row] = await client<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
      and coalesce(backend_type, 'client backend') = 'client backend'`;
  return row?.count ?? 0;
}

/**
 * One statement, and so one transaction. Reads all names first, because removing one object can remove others with
 * it.
 */
const REMOVE = `
  do $$
  declare
    removed text;
  begin
    foreach removed in array array(select oid::regclass::text from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
        and pg_get_userbyid(relowner) = current_user)
    loop
      execute format('drop table if exists %s cascade', removed);
    end loop;
    foreach removed in array array(select oid::regprocedure::text from pg_proc p
      where pronamespace = 'public'::regnamespace and prokind = 'f' and pg_get_userbyid(proowner) = current_user
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e'))
    loop
      execute format('drop function if exists %s cascade', removed);
    end loop;
    drop schema if exists drizzle cascade;
  end $$`;
