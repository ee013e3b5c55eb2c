import { setTimeout as sleep } from "node:timers/promises";
import type { Sql, TransactionSql } from "postgres";
import { connect } from "./connect.ts";
import { readSettings, serverLimits, SESSION_SETTINGS } from "./client.ts";
import { databaseCode } from "./failures.ts";
import { timeLimit } from "./time-limits.ts";

/** How often two sessions are queried in turn: a pooler in transaction mode swaps its connections. */
const ROUNDS = 4;

/** A connection's PostgreSQL session, and the settings that apply there. */
export interface Session {
  /** Its process and start time, which distinguish it from a session with the same process id elsewhere. */
  id: string;
  role: string;
  /** In milliseconds; zero is no limit. */
  statementTimeout: number;
  /** In milliseconds; zero is no limit. */
  idleTimeout: number;
  isolation: string;
  timeZone: string;
  isReadOnly: boolean;
}

const SESSION = `
  select pid || ' ' || backend_start as "id", current_user as "role",
    (select setting::int from pg_settings where name = 'statement_timeout') as "statementTimeout",
    (select setting::int from pg_settings where name = 'idle_in_transaction_session_timeout') as "idleTimeout",
    current_setting('default_transaction_isolation') as "isolation", current_setting('TimeZone') as "timeZone",
    current_setting('transaction_read_only') = 'on' as "isReadOnly"
  from pg_stat_activity where pid = pg_backend_pid()`;

/** What a URL leads to. */
export interface Probe {
  /** Whether sessions change between transactions, as behind a pooler in transaction mode. */
  isPooled: boolean;
  /** The session of a connection that writes. */
  writing: Session;
  /** The session of a connection that reads. */
  reading: Session;
}

/** Opens a connection that writes and one that reads, as a server does, and asks them in turn for their sessions. */
export async function probeSessions(url: string): Promise<Probe> {
  const clients = [openSession(url, serverLimits()), openSession(url, readSettings())] as const;
  const homes = [new Set<string>(), new Set<string>()] as const;
  try {
    for (let round = 1; ; round += 1) {
      const writing = await ask(clients[0]);
      const reading = await ask(clients[1]);
      homes[0].add(writing.id);
      homes[1].add(reading.id);
      if (round === ROUNDS) {
        const [one, other] = homes;
        const isPooled = one.size > 1 || other.size > 1 || !one.isDisjointFrom(other);
        return { isPooled, writing, reading };
      }
    }
  } finally {
    await close(clients);
  }
}

async function ask(client: Sql): Promise<Session> {
  const [session] = await client.unsafe<Session[]>(SESSION);
  if (!session) {
    throw new Error("The database does not list the session that asks.");
  }
  return session;
}

/** invalid_sql_statement_name, duplicate_prepared_statement. */
const LOST: ReadonlySet<string> = new Set(["26000", "42P05"]);

/**
 * Whether a pooler in transaction mode prepares a connection's statements again when it gives the connection another
 * session: PgBouncer does from 1.21 on.
 * @throws Error with one sentence when the pooler never gives another session.
 */
export async function keepsPreparedStatements(url: string): Promise<boolean> {
  const clients = [openSession(url, serverLimits()), openSession(url, serverLimits())] as const;
  const [own, other] = clients;
  try {
    const first = await own.begin(askPrepared);
    for (let round = 0; round < ROUNDS; round += 1) {
      // While the other client holds a session, the pooler gives us a different one.
      const next = await other.begin(async (tx) => {
        await askPrepared(tx);
        return inTime(own.begin(askPrepared));
      });
      if (next !== first) {
        break;
      }
    }
    return true;
  } catch (error) {
    if (LOST.has(databaseCode(error) ?? "")) {
      return false;
    }
    throw error;
  } finally {
    await close(clients);
  }
}

/** Asks in a transaction: outside of one, the driver prepares a lost statement again automatically. */
async function askPrepared(tx: TransactionSql): Promise<number | undefined> {
  const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
  return row?.pid;
}

async function inTime<T>(answer: Promise<T>): Promise<T> {
  const timer = new AbortController();
  const expired = sleep(timeLimit("poolerSession"), undefined, { signal: timer.signal }).then(
    () => {
      throw new Error("The connection pooler has only one session to give. Raise its pool size.");
    },
  );
  try {
    return await Promise.race([answer, expired]);
  } finally {
    timer.abort();
    expired.catch(() => undefined);
    answer.catch(() => undefined);
  }
}

/** A client with one connection, as a server opens it. */
export function openSession(url: string, settings: Readonly<Record<string, string | number>>): Sql {
  return connect(url, {
    max: 1,
    connect_timeout: timeLimit("connectOnce") / 1_000,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => undefined,
    connection: { ...SESSION_SETTINGS, ...settings },
  });
}

async function close(clients: readonly Sql[]): Promise<void> {
  await Promise.all(clients.map((client) => client.end({ timeout: 1 })));
}
