import { sql } from "drizzle-orm";
import type { DatabaseAccess } from "./database-access.ts";
import { ok, problem } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** Statements of payments wait for each other all the time, but not for this long. */
const UNUSUAL_WAIT_S = 1;

type Holder = { pid: number; role: string; application: string; waiting: number };

/** Checks that no session keeps the server's statements waiting. */
export async function checkLocks({ db }: DatabaseAccess): Promise<Finding> {
  // Sessions that hold a lock and wait for none. PostgreSQL shows their other columns only to their own role.
  const holders = await db.execute<Holder>(sql`
    select holder.pid, holder.usename as role, holder.application_name as application, count(*)::int as waiting
    from pg_stat_activity waiting
      cross join unnest(pg_blocking_pids(waiting.pid)) as blocking (pid)
      join pg_stat_activity holder on holder.pid = blocking.pid
    where waiting.datname = current_database() and waiting.usename = current_user and waiting.wait_event_type = 'Lock'
      and waiting.query_start < clock_timestamp() - make_interval(secs => ${UNUSUAL_WAIT_S})
      and cardinality(pg_blocking_pids(holder.pid)) = 0
    group by 1, 2, 3 order by waiting desc`);
  const ends = holders.map(({ pid }) => `select pg_terminate_backend(${pid});`);
  return holders.length === 0
    ? ok("No statement of a server waits for a lock.")
    : problem(
        holders.map(describe).join(" "),
        `Find out who runs it. To end it: ${ends.join(" ")}`,
      );
}

function describe({ pid, role, application, waiting }: Holder): string {
  const name = application === "" ? "" : `, ${application}`;
  return `The session ${pid} (${role}${name}) holds a lock for which ${waiting} ${waiting === 1 ? "statement has" : "statements have"} waited for more than ${UNUSUAL_WAIT_S} s.`;
}
