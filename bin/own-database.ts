import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "postgres";
import { connect, readRole } from "#db/connect.ts";
import type { Env } from "#lib/base/env.ts";
import {
  isSameDatabase,
  requireDirectConnection,
  requireUsableConnection,
} from "#db/direct-connection.ts";
import { databaseCode, isUnavailable } from "#db/failures.ts";
import { LockedDatabase } from "#db/lock-wait.ts";
import { migrate, requireMigrated } from "#db/migrate.ts";
import type { Migrated } from "#db/migrate.ts";
import { timeLimit } from "#db/time-limits.ts";

const ROOM_PAUSE_MS = 1_000;

/** The message to the operator if `isRestored`. */
export const RESTORED =
  "This database was restored or copied from another cluster; its events continue after the last one.";

/** How to connect to an external PostgreSQL, from the environment. */
interface OwnDatabase {
  databaseUrl: string;
  /** Connects as the role that owns the tables, when `databaseUrl` names a restricted one. */
  databaseMigrationUrl: string | undefined;
}

/**
 * Checks the connection to an external PostgreSQL and brings its schema up to date. If the role does not own the
 * tables, their owner must already have migrated them.
 * @returns the result of the migration.
 * @throws Error with one sentence that says what to do.
 */
export async function prepareOwnDatabase(
  { databaseUrl, databaseMigrationUrl }: OwnDatabase,
  say: (text: string) => void,
): Promise<Migrated> {
  const role = readRole(databaseUrl);
  try {
    return await waitForRoom(say, async () => {
      if (databaseMigrationUrl) {
        await requireDirectConnection(databaseMigrationUrl, "DATABASE_MIGRATION_URL");
      } else if (await isMigratedByOwner(databaseUrl)) {
        return { isRestored: false };
      } else {
        await requireMigratable(databaseUrl);
      }
      const wait = { timeoutMs: timeLimit("migrationLocks"), report: say };
      const restricted = databaseMigrationUrl ? { name: role } : undefined;
      const migrated = await migrate(databaseMigrationUrl ?? databaseUrl, restricted, { wait });
      // Only after the migration, which may have created the restricted role.
      if (databaseMigrationUrl) {
        await requireUsableConnection(databaseUrl, "DATABASE_URL");
        await requireSameDatabase(databaseUrl);
      }
      return migrated;
    });
  } catch (error) {
    throw toSetUpError(error, databaseMigrationUrl);
  }
}

/** Requires that migrations can run through the server's own URL: their lock belongs to a session. */
async function requireMigratable(databaseUrl: string): Promise<void> {
  const { isPooled } = await requireUsableConnection(databaseUrl, "DATABASE_URL");
  if (isPooled) {
    throw new Error(
      "DATABASE_URL leads through a connection pooler in transaction mode, through which migrations cannot run. Set DATABASE_MIGRATION_URL to PostgreSQL itself, as the role that owns the tables.",
    );
  }
}

/**
 * Whether the tables belong to another role.
 * @throws Error with one sentence if they do but are not at this version.
 */
async function isMigratedByOwner(databaseUrl: string): Promise<boolean> {
  await requireUsableConnection(databaseUrl, "DATABASE_URL");
  return withClient(databaseUrl, async (client) => {
    const [table] = await client<{ foreign: boolean }[]>`
      select not pg_has_role(current_user, tableowner, 'usage') as foreign
      from pg_tables where schemaname = 'public' and tablename = 'installation'`;
    if (table?.foreign) {
      await requireMigrated(client);
      return true;
    }
    return false;
  });
}

/** Requires that the server uses the database that was migrated. */
async function requireSameDatabase(databaseUrl: string): Promise<void> {
  const [row] = await withClient(
    databaseUrl,
    (client) => client`select to_regclass('public.installation')::text as name`,
  );
  if (!row?.["name"]) {
    throw new Error("DATABASE_URL and DATABASE_MIGRATION_URL must name the same database.");
  }
}

/** Runs work on one connection to the database at the URL. */
export async function withClient<T>(url: string, work: (client: Sql) => Promise<T>): Promise<T> {
  const client = connect(url, {
    max: 1,
    connect_timeout: timeLimit("connectOnce") / 1_000,
    onnotice: () => undefined,
  });
  try {
    return await work(client);
  } finally {
    await client.end({ timeout: 1 });
  }
}

/**
 * Requires that servers receive notifications sent through DATABASE_URL. They listen through DATABASE_LISTEN_URL, which
 * must lead to the same primary without a transaction pool in between. Without it, they listen through DATABASE_URL.
 * @throws Error with one sentence.
 */
export async function requireListenUrl({ databaseUrl, databaseListenUrl }: Env): Promise<void> {
  if (!databaseUrl) {
    return;
  }
  if (!databaseListenUrl) {
    await requireHearing(databaseUrl);
    return;
  }
  await requireDirectConnection(databaseListenUrl, "DATABASE_LISTEN_URL").catch(
    (error: unknown) => {
      throw isUnavailable(error)
        ? new Error(
            `The database of DATABASE_LISTEN_URL cannot be reached (${databaseCode(error)}).`,
            { cause: error },
          )
        : error;
    },
  );
  if (!(await isSameDatabase(databaseUrl, databaseListenUrl))) {
    throw new Error("DATABASE_URL and DATABASE_LISTEN_URL must lead to the same database.");
  }
}

async function requireHearing(databaseUrl: string): Promise<void> {
  const { isPooled } = await requireUsableConnection(databaseUrl, "DATABASE_URL");
  if (isPooled) {
    throw new Error(
      "DATABASE_URL leads through a connection pooler in transaction mode, through which servers cannot hear of changed API keys and settings. Set DATABASE_LISTEN_URL to PostgreSQL itself.",
    );
  }
}

/**
 * Runs work that opens connections, and retries while PostgreSQL has none left, for at most a minute.
 * @throws the error of the work; an Error that says so if no connection became free in time.
 */
export async function waitForRoom<T>(
  say: (text: string) => void,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + timeLimit("freeConnection");
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (databaseCode(error) !== TOO_MANY_CONNECTIONS) {
        throw error;
      }
      if (performance.now() >= deadline) {
        throw new Error(
          `PostgreSQL has had no connection left for ${timeLimit("freeConnection") / 1_000} s (53300); raise max_connections or the role's limit, or close unneeded connections.`,
          { cause: error },
        );
      }
      if (attempt === 1) {
        say(
          `PostgreSQL has no connection left (53300); waiting at most ${timeLimit("freeConnection") / 1_000} s for one …`,
        );
      }
    }
    await sleep(ROOM_PAUSE_MS);
  }
}

const TOO_MANY_CONNECTIONS = "53300";
const INSUFFICIENT_PRIVILEGE = "42501";
/** duplicate_table, duplicate_object, duplicate_function and duplicate_column. */
const DUPLICATES: ReadonlySet<string> = new Set(["42P07", "42710", "42723", "42701"]);
/** Classes of SQLSTATE for a role, a password, or a database that does not exist. */
const REFUSES = /^(?:28|3D)...$/u;

/** Explains a failed migration to the operator. */
export function toSetUpError(error: unknown, migrationUrl: string | undefined): unknown {
  // This error already says which session to end.
  if (error instanceof LockedDatabase) {
    return error;
  }
  const code = databaseCode(error) ?? "";
  if (code === INSUFFICIENT_PRIVILEGE) {
    const advice = migrationUrl
      ? "DATABASE_MIGRATION_URL must name the role that owns the database and its tables"
      : "set DATABASE_MIGRATION_URL to the role that owns the database and its tables";
    const variable = migrationUrl ? "DATABASE_MIGRATION_URL" : "DATABASE_URL";
    return new Error(
      `The role of ${variable} may not set the database up (${messageOf(error)}); ${advice}.`,
      { cause: error },
    );
  }
  if (DUPLICATES.has(code)) {
    return new Error(
      `The database holds tables of Floatdeck without the record of its migrations, or those of another program (${messageOf(error)}). If it was restored, restore the schema "drizzle" too; otherwise use an empty database.`,
      { cause: error },
    );
  }
  if (REFUSES.test(code)) {
    return new Error(`The database refuses the connection: ${messageOf(error)} (${code}).`, {
      cause: error,
    });
  }
  if (isUnavailable(error)) {
    return new Error(`The database of DATABASE_URL cannot be reached (${code}).`, { cause: error });
  }
  return error;
}

/** PostgreSQL's own message: a failed statement carries it as its cause. */
function messageOf(error: unknown): string {
  let message = "";
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    ({ message } = at);
  }
  return message;
}
