import { drizzle } from "drizzle-orm/postgres-js";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { preparing } from "./prepared.ts";

export type Db = PostgresJsDatabase;

/** A pool of connections and drizzle on top of it. */
export interface Database {
  db: Db;
  /** Ends idle connections at once and the others after at most a few seconds. */
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 10;
const CONNECT_TIMEOUT_S = 2;
const CLOSE_TIMEOUT_S = 5;

/** The server gives a statement up before the caller's own deadline does (`db/transaction.ts`). */
export const SERVER_LIMITS = {
  statement_timeout: 4_500,
  idle_in_transaction_session_timeout: 10_000,
  // What transactions that say nothing else run in: saying it each time would be one more way to the server and back.
  default_transaction_isolation: "read committed",
} as const;

/**
 * Opens a pool. Nothing connects before the first query. 64-bit integers are read as JavaScript numbers: the schema keeps
 * every one of them within the safe range.
 */
export function openDatabase(url: string, options: { max?: number } = {}): Database {
  const client = postgres(url, {
    max: options.max ?? CONNECTIONS_MAX,
    connect_timeout: CONNECT_TIMEOUT_S,
    // The driver's own back-off reaches 20 s; a database that is back must be used again within a second.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 1),
    onnotice: () => undefined,
    types: { int8: { to: 20, from: [20], serialize: String, parse: Number } },
    connection: { application_name: "floatdeck", TimeZone: "UTC", ...SERVER_LIMITS },
  });
  return { db: drizzle(preparing(client)), close: () => client.end({ timeout: CLOSE_TIMEOUT_S }) };
}

/**
 * Pages and the API may load this module twice in one process, as Node's and as Next's; the pool must exist once, so it
 * hangs on the global object.
 */
const HOLDER = Symbol.for("floatdeck.database");
const holder: { [HOLDER]?: Database | undefined } & typeof globalThis = globalThis;

/** Opens the process-wide pool. */
export function configureDatabase(url: string, options: { max?: number } = {}): void {
  if (holder[HOLDER]) {
    throw new Error("The database is configured already.");
  }
  holder[HOLDER] = openDatabase(url, options);
}

/** The process-wide database. */
export function database(): Db {
  const opened = holder[HOLDER];
  if (!opened) {
    throw new Error("The database is not configured yet.");
  }
  return opened.db;
}

/** Closes the process-wide pool; a second call does nothing. */
export async function closeDatabase(): Promise<void> {
  const opened = holder[HOLDER];
  holder[HOLDER] = undefined;
  await opened?.close();
}
