import { drizzle } from "drizzle-orm/postgres-js";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { preparing } from "./prepared.ts";
import { Turns } from "./turns.ts";

export type Db = PostgresJsDatabase;

/** A pool of connections and drizzle on top of it. */
export interface Database {
  db: Db;
  /** Ends idle connections at once and the others after at most a few seconds. */
  close(): Promise<void>;
}

interface PoolOptions {
  max?: number;
  /** Settings of every connection, beside or instead of the usual ones. */
  settings?: Record<string, string | number>;
}

const CONNECTIONS_MAX = 10;
const READ_CONNECTIONS_MAX = 8;
/** Half of them, so that no integrator takes the pool from the others. */
const READ_SHARE_MAX = 4;
const CONNECT_TIMEOUT_S = 2;
const CLOSE_TIMEOUT_S = 5;
/** An idle connection whose other end is gone is noticed: probed after so long, given up ten probes of a second later. */
const KEEP_ALIVE_S = 5;

/** The server gives a statement up before the caller's own deadline does (`db/transaction.ts`). */
export const SERVER_LIMITS = {
  application_name: "floatdeck",
  statement_timeout: 4_500,
  idle_in_transaction_session_timeout: 10_000,
  // What transactions that say nothing else run in: saying it each time would be one more way to the server and back.
  default_transaction_isolation: "read committed",
} as const;

/** Reads see one moment and change nothing. The limit is for a read whose cancellation did not arrive (`db/reads.ts`). */
const READ_SETTINGS = {
  application_name: "floatdeck reads",
  statement_timeout: 2_500,
  default_transaction_isolation: "repeatable read",
  default_transaction_read_only: "on",
} as const;

/** Readiness and the cancellation of reads are quick or of no use. */
const CONTROL_SETTINGS = {
  application_name: "floatdeck control",
  statement_timeout: 1_500,
} as const;

/**
 * Opens a pool. Nothing connects before the first query. 64-bit integers are read as JavaScript numbers: the schema keeps
 * every one of them within the safe range.
 *
 * Connections are made to a primary alone. A server in recovery is left again at once, so that no connection to a standby
 * stays in the pool, and the next host is tried where the address names several.
 */
export function openDatabase(url: string, options: PoolOptions = {}): Database {
  requirePatchedDriver();
  const client = postgres(url, {
    max: options.max ?? CONNECTIONS_MAX,
    connect_timeout: CONNECT_TIMEOUT_S,
    // The driver's own back-off reaches 20 s; a database that is back must be used again within a second.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 1),
    keep_alive: KEEP_ALIVE_S,
    // Not `read-write`, which the driver takes for "no default_transaction_read_only" and finds on a standby as well.
    target_session_attrs: "primary",
    onnotice: () => undefined,
    types: { int8: { to: 20, from: [20], serialize: String, parse: Number } },
    connection: { TimeZone: "UTC", ...SERVER_LIMITS, ...options.settings },
  });
  return { db: drizzle(preparing(client)), close: () => client.end({ timeout: CLOSE_TIMEOUT_S }) };
}

/** @throws Error when packages were installed without our patch: the driver as published dies with the database. */
function requirePatchedDriver(): void {
  if (!("survivesRestarts" in postgres)) {
    throw new Error(
      "The installed postgres.js lacks Floatdeck's patch, which npm ci alone does not apply. Start with npm start.",
    );
  }
}

/** The pool that reads share, and who of them is next. */
interface ReadPool extends Database {
  turns: Turns;
}

interface Opened {
  url: string;
  main: Database;
  reads: ReadPool;
  control: Database;
}

/**
 * Pages and the API may load this module twice in one process, as Node's and as Next's; the pools must exist once, so they
 * hang on the global object.
 */
const HOLDER = Symbol.for("floatdeck.database");
const holder: { [HOLDER]?: Opened | undefined } & typeof globalThis = globalThis;

/**
 * Opens the process-wide pools: one for money and all else, one for reads, and a connection for readiness.
 * @param options how many connections the first two may have.
 */
export function configureDatabase(
  url: string,
  options: { max?: number; readsMax?: number } = {},
): void {
  if (holder[HOLDER]) {
    throw new Error("The database is configured already.");
  }
  const all = options.readsMax ?? READ_CONNECTIONS_MAX;
  const each = Math.min(READ_SHARE_MAX, Math.ceil(all / 2));
  holder[HOLDER] = {
    url,
    main: openDatabase(url, options),
    reads: {
      ...openDatabase(url, { max: all, settings: READ_SETTINGS }),
      turns: new Turns({ all, each }),
    },
    control: openDatabase(url, { max: 1, settings: CONTROL_SETTINGS }),
  };
}

/** Opens another pool on the process-wide database, for work that must not wait behind requests, nor they behind it. */
export function openBeside(options: { max: number }): Database {
  return openDatabase(requireOpened().url, options);
}

function requireOpened(): Opened {
  const opened = holder[HOLDER];
  if (!opened) {
    throw new Error("The database is not configured yet.");
  }
  return opened;
}

/** The process-wide database. */
export function database(): Db {
  return requireOpened().main.db;
}

/** The pool for reads, which `readFor` (`db/reads.ts`) alone uses. */
export function readPool(): ReadPool {
  return requireOpened().reads;
}

/** A connection of its own, for what must not wait for a pool: readiness, and the cancellation of reads. */
export function control(): Db {
  return requireOpened().control.db;
}

/** Closes the process-wide pools; a second call does nothing. */
export async function closeDatabase(): Promise<void> {
  const opened = holder[HOLDER];
  holder[HOLDER] = undefined;
  await Promise.all([opened?.main.close(), opened?.reads.close(), opened?.control.close()]);
}
