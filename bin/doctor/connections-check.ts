import { sql } from "drizzle-orm";
import { countFreeConnections } from "#lib/operator/figures.ts";
import type { DatabaseAccess } from "./database-access.ts";
import { ok, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** The alert FloatdeckConnectionsLow has the same bound. */
const FREE_MIN = 10;
const NAMED_MAX = 3;

type Holder = { role: string; application: string; sessions: number; free: number };

/** Checks that PostgreSQL has at least `freeMin` connections left. Otherwise, names who holds the most. */
export async function checkConnections(
  { db }: DatabaseAccess,
  freeMin = FREE_MIN,
): Promise<Finding> {
  const holders = await db.execute<Holder>(sql`
    select usename as role, application_name as application, count(*)::int as sessions, ${countFreeConnections()} as free
    from pg_stat_activity where usesysid is not null and datid is not null
    group by 1, 2 order by sessions desc, 1, 2 limit ${NAMED_MAX}`);
  const free = holders[0]?.free ?? 0;
  const detail = `PostgreSQL has ${free} connections left.`;
  return free >= freeMin
    ? ok(detail)
    : warning(
        `${detail} The most are held by ${holders.map(describe).join(", ")}.`,
        "Stop the program that should not hold so many, or raise max_connections.",
      );
}

function describe({ role, application, sessions }: Holder): string {
  return `${role}${application === "" ? "" : ` (${application})`}: ${sessions}`;
}
