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
import { readKnownMigrations, readMigrationState } from "./migration-record.ts";
import type { MigrationState } from "./migration-record.ts";
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
 * Brings the schema up to date, one process at a time, and grants the restricted role its privileges. No statement
 * waits for a lock longer than half a second, because all other sessions would wait behind it; each migration is
 * retried for thirty seconds. While another process migrates, this one waits. A schema that a newer version has
 * migrated, and on which this one runs, is left as it is.
 * @param ownerUrl connects to PostgreSQL directly, because the migration lock belongs to the session.
 * @param appRole created when it does not exist; without it, the server uses the owner.
 * @param folder contains the migrations.
 * @throws Error with one sentence when the database's migrations do not match those of this version, or it stays
 * locked.
 */
export async function migrate(
  ownerUrl: string,
  appRole?: { name: string; password?: string },
  {
    wait = { timeoutMs: timeLimit("migrationLocks"), report: () => undefined },
    folder = FOLDER,
  }: { wait?: LockWait; folder?: string } = {},
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
    const known = readKnownMigrations(folder);
    const { pending, isAhead, refusal } = await readMigrationState(client, known);
    if (refusal !== null) {
      throw new Error(refusal);
    }
    if (isAhead) {
      await requireOwnRows(client, "and a newer version has migrated it");
      return { isRestored: false };
    }
    await applyMigrations(place, { pending, isNew: pending.length === known.length });
    await waitForLocks(place, () => validate(client));
    if (pending.length > 0) {
      // A rewritten table has no statistics, and autovacuum gathers none in an empty or quiet database.
      await waitForLocks(place, () => client`analyze`);
    }
    if (appRole) {
      await waitForLocks(place, () => grant(client, appRole));
    }
    const isRestored = await waitForLocks(place, () => keepFeedOrder(client));
    // Release the lock first: other servers can start while the work that is not urgent is done.
    await client`select pg_advisory_unlock(${MIGRATION_LOCK})`;
    await waitForLocks(place, () => doLateWork(client, path.join(folder, "late")));
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

/** How the schema relates to this version. */
export interface SchemaState extends MigrationState {
  /** The indexes that are built after the migrations, and are not there yet. */
  missingIndexes: readonly string[];
}

/**
 * Compares the schema with this version, and changes nothing.
 * @param client connects as the role that owns the tables, or as the restricted one.
 */
export async function readSchemaState(client: Sql): Promise<SchemaState> {
  const known = readKnownMigrations(FOLDER);
  const state = await readMigrationState(client, known);
  const isEmpty = state.pending.length === known.length;
  return {
    ...state,
    missingIndexes: isEmpty ? [] : await findMissing(client, path.join(FOLDER, "late")),
  };
}

/**
 * Requires a schema on which this version runs, in the cluster that wrote its rows, for a server whose role may not
 * migrate.
 * @throws Error with one sentence.
 */
export async function requireMigrated(client: Sql): Promise<void> {
  const { pending, refusal } = await readMigrationState(client, readKnownMigrations(FOLDER));
  if (refusal !== null) {
    throw new Error(refusal);
  }
  if (pending.length > 0) {
    throw new Error(
      `The tables are ${pending.length} ${pending.length === 1 ? "migration" : "migrations"} behind this version, and the role of DATABASE_URL does not own them; ${MIGRATE_FIRST}`,
    );
  }
  await requireOwnRows(client, "and the role of DATABASE_URL does not own its tables");
}

/** @throws Error with one sentence that says why this process cannot continue the order of events. */
async function requireOwnRows(client: Sql, reason: string): Promise<void> {
  if (await isFromElsewhere(client)) {
    throw new Error(
      `This database was restored or copied from another cluster, ${reason}; ${MIGRATE_FIRST}`,
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
  // An unqualified name finds a temporary table before any other table of that name. The statement has no effect when
  // the role does not own the database; `floatdeck doctor` reports that.
  const [here] = await client<{ name: string }[]>`select current_database() as name`;
  await client`revoke temporary on database ${client(here?.name ?? "")} from public, ${name}`;
  await client`revoke execute on function keep_api_log() from public`;
  await client`grant execute on function keep_api_log() to ${name}`;
  for (const table of APPEND_ONLY) {
    await client`revoke update, delete, truncate on ${client(table)} from ${name}`;
  }
}
