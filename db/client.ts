import { drizzle } from "drizzle-orm/postgres-js";
import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import type { Sql } from "postgres";
import { connect } from "./connect.ts";
import { readLoad } from "./pool-load.ts";
import type { PoolLoad } from "./pool-load.ts";
import { preparing, SENT_BEFORE_MIN } from "./prepared.ts";
import { ReadSlots } from "./read-slots.ts";
import { timeLimit } from "./time-limits.ts";
import type { TimeLimit } from "./time-limits.ts";

export type Db = PostgresJsDatabase;

/** A connection pool with drizzle on top. */
export interface Database {
  db: Db;
  /** How busy its connections are now. */
  load(): PoolLoad;
  /** Closes idle connections immediately and the others after a few seconds at most. */
  close(): Promise<void>;
}

interface PoolOptions {
  max?: number;
  /** Connection settings, in addition to or instead of the defaults. */
  settings?: Record<string, string | number>;
  /** How each transaction begins, in the words of SQL; by default, as its session does. */
  transaction?: string;
  /** How often a statement is sent before it is prepared. Tests of plans prepare each one at once. */
  sentBefore?: number;
}

const CONNECTIONS_MAX = 10;
const READ_CONNECTIONS_MAX = 8;
/** Half the pool, so that no integrator takes all of it. */
const READ_SHARE_MAX = 4;
/**
 * Detects an idle connection with a dead peer: TCP keep-alive probes start after this long, and ten of them,
 * a second apart, must fail.
 */
export const KEEP_ALIVE_S = 5;

/** Settings that each of our sessions requests. */
export const SESSION_SETTINGS = { TimeZone: "UTC" } as const;

/**
 * The server cancels a statement before the caller's own deadline does (`db/transaction.ts`). A pooler in transaction
 * mode drops these settings, except the name; there, the role must have them (`db/direct-connection.ts`).
 */
export const serverLimits = () =>
  ({
    application_name: "floatdeck",
    statement_timeout: timeLimit("statement"),
    idle_in_transaction_session_timeout: timeLimit("idleInTransaction"),
    // The default isolation of transactions, whatever the database's own is.
    default_transaction_isolation: "read committed",
  }) as const;

/**
 * Reads change nothing. The limit covers a read whose cancellation did not arrive (`db/reads.ts`); a pooler in
 * transaction mode drops it, and the role's limit applies.
 */
export const readSettings = (statement: TimeLimit = "readStatement") =>
  ({
    ...serverLimits(),
    application_name: "floatdeck reads",
    statement_timeout: timeLimit(statement),
    default_transaction_read_only: "on",
  }) as const;

/** How a read transaction begins: it sees one snapshot. */
const READ_TRANSACTION = "isolation level repeatable read read only";

/** Readiness checks are useless unless they are fast. */
const controlSettings = () =>
  ({
    application_name: "floatdeck control",
    statement_timeout: timeLimit("readinessStatement"),
  }) as const;

/**
 * Opens a pool. Nothing connects before the first query. 64-bit integers are read as JavaScript numbers: the
 * schema keeps all of them within the safe range.
 *
 * Connects to a primary only. A server in recovery is disconnected immediately, so that no connection to a
 * standby stays in the pool, and the next host is tried when the address lists several.
 */
export function openDatabase(url: string, options: PoolOptions = {}): Database {
  const client = openClient(url, options);
  return {
    db: drizzle(client),
    load: () => readLoad(client),
    close: () => client.end({ timeout: timeLimit("poolClose") / 1_000 }),
  };
}

function openClient(url: string, options: PoolOptions): Sql {
  requirePatchedDriver();
  const client = connect(url, {
    max: options.max ?? CONNECTIONS_MAX,
    connect_timeout: timeLimit("connect") / 1_000,
    // The driver's own backoff reaches 20 s, but a recovered database must be used again within a second.
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 1),
    keep_alive: KEEP_ALIVE_S,
    // Not `read-write`: the driver takes that as "no default_transaction_read_only", which also holds on a
    // standby.
    target_session_attrs: "primary",
    onnotice: () => undefined,
    types: { int8: { to: 20, from: [20], serialize: String, parse: Number } },
    connection: { ...SESSION_SETTINGS, ...serverLimits(), ...options.settings },
  });
  const { transaction = "", sentBefore = SENT_BEFORE_MIN } = options;
  return preparing(client, { transaction, sentBefore });
}

/**
 * @throws Error when the packages were installed without our patch: the published driver does not survive a
 * database restart.
 */
function requirePatchedDriver(): void {
  if (!("survivesRestarts" in postgres)) {
    throw new Error(
      "The installed postgres.js lacks Floatdeck's patch, which npm ci alone does not apply. Start with npm start.",
    );
  }
}

interface Opened {
  url: string;
  main: Database;
  reads: ReadSlots;
  control: Database;
}

/**
 * Pages and the API may load this module twice in one process, as Node's copy and Next's. The pools must
 * exist once, so they are stored on the global object.
 */
const HOLDER = Symbol.for("floatdeck.database");
const holder: { [HOLDER]?: Opened | undefined } & typeof globalThis = globalThis;

/**
 * Opens the process-wide pools: one for money and everything else, one for reads, and a connection for readiness.
 * @param options the sizes of the first two pools, how long a statement of the second may take, and how often a
 * statement of the first is sent before it is prepared.
 */
export function configureDatabase(
  url: string,
  options: Pick<PoolOptions, "max" | "sentBefore"> & {
    readsMax?: number;
    readStatement?: TimeLimit;
  } = {},
): void {
  if (holder[HOLDER]) {
    throw new Error("The database is already configured.");
  }
  const all = options.readsMax ?? READ_CONNECTIONS_MAX;
  const each = Math.min(READ_SHARE_MAX, Math.ceil(all / 2));
  holder[HOLDER] = {
    url,
    main: openDatabase(url, options),
    reads: new ReadSlots({ all, each }, () =>
      openClient(url, {
        max: 1,
        settings: readSettings(options.readStatement),
        transaction: READ_TRANSACTION,
      }),
    ),
    control: openDatabase(url, { max: 1, settings: controlSettings() }),
  };
}

/**
 * Opens a separate pool on the process-wide database, for work that must not block requests or be blocked by
 * them.
 */
export function openSeparatePool(
  options: Required<Pick<PoolOptions, "max" | "settings">>,
): Database {
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

/** The connections for reads; used only by `db/reads.ts`. */
export function readSlots(): ReadSlots {
  return requireOpened().reads;
}

/** A separate connection for readiness, which must not wait for a pool. */
export function control(): Db {
  return requireOpened().control.db;
}

/** How busy the connections for money and those for reads are. */
export function readPoolLoads(): { main: PoolLoad; reads: PoolLoad } {
  const { main, reads } = requireOpened();
  return { main: main.load(), reads: reads.load() };
}

/** Closes the process-wide pools; a second call does nothing. */
export async function closeDatabase(): Promise<void> {
  const opened = holder[HOLDER];
  holder[HOLDER] = undefined;
  await Promise.all([opened?.main.close(), opened?.reads.close(), opened?.control.close()]);
}
