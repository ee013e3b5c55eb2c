import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Sql } from "postgres";
import { applyMigrations } from "./apply-migrations.ts";
import { ROOT } from "./root.ts";
import { connect } from "./connect.ts";
import { isFromElsewhere, keepFeedOrder } from "./feed-order.ts";
import { findMissing } from "./late-indexes.ts";
import { doLateWork } from "./late-work.ts";
import { LOCK_TIMEOUT_MS, MIGRATION_APPLICATION, waitForLocks } from "./lock-wait.ts";
import type { LockWait } from "./lock-wait.ts";
import { takeMigrationTurn } from "./migration-turn.ts";
import { APPEND_ONLY } from "./schema/append-only.ts";
import { timeLimit } from "./time-limits.ts";

const FOLDER = path.join(ROOT, "db/migrations");

/** An arbitrary lock id; every process that migrates takes the same lock. */
export const MIGRATION_LOCK = 7_203_118;

/** The result of a migration. */
export interface Migrated {
  /** Whether the rows come from another cluster, through a dump or a copy; see `keepFeedOrder`. */
  isRestored: boolean;
}

/**
 * Brings the schema up to date, one process at a time, and grants the restricted role its privileges. No
 * statement waits for a lock longer than half a second, because all other sessions would wait behind it; each migration
 * is retried for thirty seconds. While another process migrates, this one waits.
 * @param ownerUrl connects to PostgreSQL directly, because the migration lock belongs to the session.
 * @param appRole created when it does not exist; without it, the server uses the owner.
 * @throws Error with one sentence when the database has migrations that this version does not know, newer or older, or
 * stays locked.
 */
export async function migrate(
  ownerUrl: string,
  appRole?: { name: string; password?: string },
  wait: LockWait = { timeoutMs: timeLimit("migrationLocks"), report: () => undefined },
): Promise<Migrated> {
  const client = connect(ownerUrl, {
    max: 1,
    connect_timeout: timeLimit("connectOnce") / 1_000,
    // A new session would not hold the lock.
    max_lifetime: null,
    onnotice: () => undefined,
    connection: { application_name: MIGRATION_APPLICATION, lock_timeout: LOCK_TIMEOUT_MS },
  });
  const place = { url: ownerUrl, client, wait };
  try {
    await takeMigrationTurn(client, MIGRATION_LOCK, wait);
    const before = await readNewest(client);
    refuseUnknown(before);
    await applyMigrations(place, { folder: FOLDER, newest: before });
    await waitForLocks(place, () => validate(client));
    if ((await readNewest(client)) !== before) {
      // A rewritten table has no statistics, and an empty or quiet database does not get any by itself.
      await waitForLocks(place, () => client`analyze`);
    }
    if (appRole) {
      await waitForLocks(place, () => grant(client, appRole));
    }
    const isRestored = await waitForLocks(place, () => keepFeedOrder(client));
    // Release the lock first: other servers can start while the work that is not urgent is done.
    await client`select pg_advisory_unlock(${MIGRATION_LOCK})`;
    await waitForLocks(place, () => doLateWork(client, path.join(FOLDER, "late")));
    return { isRestored };
  } finally {
    await client.end({ timeout: 2 });
  }
}

/** Validates the constraints that a migration added, while other sessions read and write. */
async function validate(client: Sql): Promise<void> {
  const constraints = await client<{ statement: string }[]>`
    select format('alter table %s validate constraint %I', conrelid::regclass, conname) as statement
    from pg_constraint where not convalidated and connamespace = 'public'::regnamespace`;
  for (const { statement } of constraints) {
    await client.unsafe(statement);
  }
}

/**
 * Gathers the planner's statistics after many rows were written: autovacuum runs only minutes later.
 * @param ownerUrl names the role that owns the tables; other roles' tables are skipped.
 */
export async function analyze(ownerUrl: string): Promise<void> {
  const client = connect(ownerUrl, {
    max: 1,
    connect_timeout: timeLimit("connectOnce") / 1_000,
    onnotice: () => undefined,
  });
  try {
    await client`analyze`;
  } finally {
    await client.end({ timeout: 2 });
  }
}

/** When the newest applied migration was created; zero before the first. */
async function readNewest(client: Sql): Promise<number> {
  const [journal] = await client`select to_regclass('drizzle.__drizzle_migrations')::text as name`;
  if (!journal?.name) {
    return 0;
  }
  const [row] =
    await client`select coalesce(max(created_at), 0)::float8 as at from drizzle.__drizzle_migrations`;
  return Number(row?.at);
}

function refuseUnknown(newestApplied: number): void {
  const known = readJournal();
  if (newestApplied > Math.max(...known)) {
    throw new Error(NEWER);
  }
  if (newestApplied > 0 && newestApplied < Math.min(...known)) {
    throw new Error(OLDER);
  }
}

const OLDER =
  "The database was set up by an early version of Floatdeck, whose schema this version cannot upgrade; use an empty database or an empty DATA_DIR.";

const NEWER =
  "The database was set up by a newer version of Floatdeck than this one; start that version or a later one.";

function newestMigration(): number {
  return Math.max(...readJournal());
}

/** When each migration of this version was created. */
function readJournal(): number[] {
  const file = path.join(FOLDER, "meta", "_journal.json");
  if (!existsSync(file)) {
    throw new Error("The migrations are missing from this checkout.");
  }
  const journal: { entries: { when: number }[] } = JSON.parse(readFileSync(file, "utf8"));
  return journal.entries.map(({ when }) => when);
}

/** How far the schema is behind this version, or ahead of it. */
export interface SchemaState {
  /** The number of migrations that the next start of a server applies. */
  pending: number;
  /** Whether a newer version has set the database up. */
  isNewer: boolean;
  /** The indexes that are built after the migrations, and are not there yet. */
  missingIndexes: readonly string[];
}

/**
 * Compares the schema with this version, and changes nothing.
 * @param client connects as the role that owns the tables, or as the restricted one.
 */
export async function readSchemaState(client: Sql): Promise<SchemaState> {
  const newest = await readNewest(client);
  return {
    pending: readJournal().filter((when) => when > newest).length,
    isNewer: newest > newestMigration(),
    missingIndexes: newest === 0 ? [] : await findMissing(client, path.join(FOLDER, "late")),
  };
}

/**
 * Requires a schema of this version in the cluster that wrote its rows, for a server whose role may not migrate.
 * @throws Error with one sentence.
 */
export async function requireMigrated(client: Sql): Promise<void> {
  const { pending, isNewer } = await readSchemaState(client);
  if (isNewer) {
    throw new Error(NEWER);
  }
  if (pending > 0) {
    throw new Error(
      `The tables are ${pending} ${pending === 1 ? "migration" : "migrations"} behind this version, and the role of DATABASE_URL does not own them; ${MIGRATE_FIRST}`,
    );
  }
  if (await isFromElsewhere(client)) {
    throw new Error(
      `This database was restored or copied from another cluster, and the role of DATABASE_URL does not own its tables; ${MIGRATE_FIRST}`,
    );
  }
}

const MIGRATE_FIRST = 'run "floatdeck migrate" with DATABASE_MIGRATION_URL first.';

async function grant(client: Sql, role: { name: string; password?: string }): Promise<void> {
  const name = client(role.name);
  const [existing] = await client`select from pg_roles where rolname = ${role.name}`;
  if (!existing) {
    await client`create role ${name} login`;
  }
  if (role.password) {
    // We generated the password (48 hex digits), and a utility statement takes no parameters.
    await client.unsafe(`alter role "${role.name}" password '${role.password}'`);
  }
  await client`grant usage on schema public, drizzle to ${name}`;
  await client`grant select on drizzle.__drizzle_migrations to ${name}`;
  await client`grant select, insert, update, delete on all tables in schema public to ${name}`;
  await client`grant usage on all sequences in schema public to ${name}`;
  // A temporary table is found before any other of its name, by whoever does not say where to look. Without effect as a role
  // that does not own the database: `floatdeck doctor` reports that.
  const [here] = await client<{ name: string }[]>`select current_database() as name`;
  await client`revoke temporary on database ${client(here?.name ?? "")} from public, ${name}`;
  await client`revoke execute on function keep_api_log() from public`;
  await client`grant execute on function keep_api_log() to ${name}`;
  for (const table of APPEND_ONLY) {
    await client`revoke update, delete, truncate on ${client(table)} from ${name}`;
  }
}
