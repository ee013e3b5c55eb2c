import postgres from "postgres";
import type { Sql } from "postgres";
import { SERVER_LIMITS } from "./client.ts";
import { databaseCode } from "./failures.ts";

/** How often two sessions are queried in turn: a pooler in transaction mode swaps its connections. */
const ROUNDS = 4;

/**
 * A PostgreSQL session: its process and start time, which distinguishes it from one with the same process id
 * elsewhere.
 */
const SESSION = `
  select pid || ' ' || backend_start as session, current_setting('statement_timeout') as timeout
  from pg_stat_activity where pid = pg_backend_pid()`;

/** Distinguishes databases, also in different clusters. */
export const DATABASE_IDENTITY = `
  select oid || ' ' || extract(epoch from pg_postmaster_start_time()) as id
  from pg_database where datname = current_database()`;

/**
 * Requires that each connection is a single PostgreSQL session for its whole lifetime, with the limits it
 * requests. Behind a pooler in transaction mode, prepared statements disappear, and session locks stay with
 * the next client.
 * @param variable the setting that holds the URL, for the error.
 * @throws Error with one sentence.
 */
export async function requireDirectConnection(url: string, variable: string): Promise<void> {
  const clients = [openSession(url), openSession(url)] as const;
  try {
    const homes = [new Set<string>(), new Set<string>()] as const;
    for (let round = 0; round < ROUNDS; round += 1) {
      homes[0].add(await ask(clients[0], variable));
      homes[1].add(await ask(clients[1], variable));
    }
    const [one, other] = homes;
    if (one.size > 1 || other.size > 1 || !one.isDisjointFrom(other)) {
      throw new Error(
        `${variable} leads through a connection pooler in transaction mode, such as PgBouncer: sessions change between statements, and Floatdeck requires stable sessions. Point it at PostgreSQL itself, or at a pool in session mode.`,
      );
    }
  } catch (error) {
    const message = error instanceof Error ? error.message : "";
    if (databaseCode(error) === "08P01" && message.includes("startup parameter")) {
      throw new Error(
        `${variable} leads through a connection pooler, such as PgBouncer, that refuses Floatdeck's limits (${message}). Point it at PostgreSQL itself.`,
        { cause: error },
      );
    }
    throw error;
  } finally {
    await Promise.all(clients.map((client) => client.end({ timeout: 1 })));
  }
}

/** Whether two URLs lead to the same database. */
export async function isSameDatabase(url: string, otherUrl: string): Promise<boolean> {
  const clients = [openSession(url), openSession(otherUrl)];
  try {
    const ids = await Promise.all(
      clients.map(async (client) => {
        const [row] = await client.unsafe<{ id: string }[]>(DATABASE_IDENTITY);
        return row?.id;
      }),
    );
    return ids[0] === ids[1];
  } finally {
    await Promise.all(clients.map((client) => client.end({ timeout: 1 })));
  }
}

function openSession(url: string): Sql {
  return postgres(url, {
    max: 1,
    connect_timeout: 5,
    max_lifetime: null,
    // A pooler in transaction mode would fail on prepared statements before it can be recognized.
    prepare: false,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { ...SERVER_LIMITS },
  });
}

async function ask(client: Sql, variable: string): Promise<string> {
  const [row] = await client.unsafe<{ session: string; timeout: string }[]>(SESSION);
  if (!row || row.timeout === "0") {
    throw new Error(
      `${variable} leads through a connection pooler that drops Floatdeck's limits (statement_timeout arrives as 0). Point it at PostgreSQL itself, or set the limits on the role.`,
    );
  }
  return row.session;
}
