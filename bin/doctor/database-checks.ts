import { sql } from "drizzle-orm";
import { APPEND_ONLY } from "#db/schema/append-only.ts";
import { readHosts, readProtection } from "#db/connect.ts";
import type { Protection } from "#db/connect.ts";
import { DATABASE_IDENTITY } from "#db/direct-connection.ts";
import { readSchemaState } from "#db/migrate.ts";
import { inTime } from "#db/transaction.ts";
import { measureSkew, toClockWarning } from "#lib/operator/clock-skew.ts";
import { asOwner } from "./database-access.ts";
import type { DatabaseAccess } from "./database-access.ts";
import { ok, problem, skipped, toSentence, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";

/** The checks of the database that need no tables. */

const OLDEST = 15;
const NEWEST = 18;
const EXTENSIONS = ["pg_trgm", "btree_gin"];
const LOOPBACK: ReadonlySet<string> = new Set(["127.0.0.1", "::1", "[::1]", "localhost"]);
const SEE_ROLES = 'See docs/operations.md, "Database and roles".';

/** Checks that a primary answers and accepts changes. @throws Error when none answers in time. */
export async function checkReachable({ db }: DatabaseAccess): Promise<Finding> {
  const [row] = await inTime(() =>
    db.execute<{ role: string; name: string; readonly: string }>(
      sql`select current_user as role, current_database() as name, current_setting('transaction_read_only') as readonly`,
    ),
  );
  const place = `The database "${row?.name}" answers the role "${row?.role}"`;
  return row?.readonly === "on"
    ? problem(
        `${place}, but it is read-only.`,
        "Point DATABASE_URL at a primary that accepts writes.",
      )
    : ok(`${place}.`);
}

export async function checkVersion({ db }: DatabaseAccess): Promise<Finding> {
  const [row] = await db.execute<{ number: number }>(
    sql`select current_setting('server_version_num')::int as number`,
  );
  return judgeVersion(Math.floor((row?.number ?? 0) / 10_000));
}

/** @param major the major version of PostgreSQL. */
export function judgeVersion(major: number): Finding {
  const detail = `PostgreSQL ${major}.`;
  if (major < OLDEST) {
    return problem(detail, `Upgrade it: Floatdeck requires PostgreSQL ${OLDEST} or newer.`);
  }
  return major > NEWEST
    ? warning(detail, `Floatdeck is tested with PostgreSQL ${OLDEST} to ${NEWEST}.`)
    : ok(detail);
}

export async function checkTls({ db, url }: DatabaseAccess): Promise<Finding> {
  const [row] = await db.execute<{ encrypted: boolean }>(
    sql`select ssl as encrypted from pg_stat_ssl where pid = pg_backend_pid()`,
  );
  const wanted = readProtection(url);
  // If the URL allows TLS but does not require it, only the database knows whether it is used.
  const protection = wanted === "none" && row?.encrypted ? "encrypted" : wanted;
  return judgeTls(readHosts(url), protection);
}

/** @param hosts the hosts in the URL. */
export function judgeTls(hosts: readonly string[], protection: Protection): Finding {
  const action =
    'Add sslmode=verify-full to the database URLs. See docs/operations.md, "TLS to the database".';
  const connection = `The connection to ${hosts.join(", ")}`;
  if (protection === "verified") {
    return ok(`${connection} is encrypted, and its certificate is verified.`);
  }
  if (hosts.every((host) => LOOPBACK.has(host) || host.startsWith("/"))) {
    return ok("The database is on this machine.");
  }
  return protection === "encrypted"
    ? warning(`${connection} is encrypted, but its certificate is not verified.`, action)
    : warning(`${connection} is not encrypted.`, action);
}

/** Checks what the server's role may do: everything it needs, and no more. */
export async function checkRole({ db }: DatabaseAccess): Promise<Finding> {
  const appendOnly = sql.param([...APPEND_ONLY]);
  const [row] = await db.execute<{
    role: string;
    superuser: boolean;
    missing: string | null;
    excess: string | null;
    temporary: boolean;
    revocation: string;
  }>(sql`
    with rights as (
      select tablename as name, wanted, tablename = any(${appendOnly}::text[]) and wanted in ('update', 'delete') as barred,
        has_table_privilege(format('public.%I', tablename), wanted) as held
      from pg_tables, unnest(array['select', 'insert', 'update', 'delete']) as wanted
      where schemaname = 'public'
        -- Partitions made since the last start are reached through their table.
        and not exists (select from pg_inherits where inhrelid = format('public.%I', tablename)::regclass)
    )
    select current_user as role, has_database_privilege(current_database(), 'temporary') as temporary,
      format('revoke temporary on database %I from public, %I', current_database(), current_user) as revocation,
      (select rolsuper from pg_roles where rolname = current_user) as superuser,
      (select format('%s %s', wanted, name) from rights where not barred and not held order by name, wanted limit 1) as missing,
      (select format('%s %s', wanted, name) from rights where barred and held order by name, wanted limit 1) as excess`);
  if (!row) {
    throw new Error("The role has no row in pg_roles.");
  }
  if (row.missing !== null) {
    const action = `Run "floatdeck migrate" with DATABASE_MIGRATION_URL, which grants them. ${SEE_ROLES}`;
    return problem(`The role "${row.role}" lacks rights: ${row.missing}.`, action);
  }
  if (row.superuser || row.excess !== null) {
    const excess = row.superuser ? "is a superuser" : `may ${row.excess}`;
    const action = `Create a restricted role for DATABASE_URL. ${SEE_ROLES}`;
    return warning(`The server's role "${row.role}" ${excess}.`, action);
  }
  if (row.temporary) {
    return problem(
      `The role "${row.role}" may create temporary tables, which PostgreSQL finds before others of the same name.`,
      `Run this as the owner of the database: ${row.revocation};`,
    );
  }
  return ok(`The role "${row.role}" may do what the server needs, and cannot rewrite history.`);
}

/** Checks that migrations can run: a role must own the tables, in the server's database. */
export async function checkOwner({ db, url, ownerUrl }: DatabaseAccess): Promise<Finding> {
  const variable = ownerUrl ? "DATABASE_MIGRATION_URL" : "DATABASE_URL";
  const [here] = await db.execute<{ id: string }>(sql.raw(DATABASE_IDENTITY));
  try {
    return await asOwner(ownerUrl ?? url, async (client) => {
      const [there] = await client.unsafe<{ id: string }[]>(DATABASE_IDENTITY);
      if (there?.id !== here?.id) {
        const detail = "DATABASE_URL and DATABASE_MIGRATION_URL name different databases.";
        return problem(detail, "Correct one of them.");
      }
      const [row] = await client<OwnerRow[]>`
        select current_user as role, has_schema_privilege(current_user, 'public', 'create') as creates,
          (select tablename from pg_tables where schemaname = 'public'
            and not pg_has_role(current_user, tableowner, 'usage') order by tablename limit 1) as foreign`;
      return judgeOwner(row, { variable, isOwners: ownerUrl !== undefined });
    });
  } catch (error) {
    const detail = `The database of ${variable} cannot be reached: ${toSentence(error)}`;
    return problem(detail, `Correct ${variable}. Without it, no server starts.`);
  }
}

interface OwnerRow {
  role: string;
  /** May create tables. */
  creates: boolean;
  /** A table that it does not own. */
  foreign: string | null;
}

function judgeOwner(
  row: OwnerRow | undefined,
  { variable, isOwners }: { variable: string; isOwners: boolean },
): Finding {
  const role = `The role "${row?.role}"`;
  if (row?.foreign) {
    return isOwners
      ? problem(
          `${role} of ${variable} does not own the table ${row.foreign}.`,
          `Set DATABASE_MIGRATION_URL to the role that owns the tables. ${SEE_ROLES}`,
        )
      : ok(`${role} only uses the tables. "floatdeck migrate" migrates them.`);
  }
  return row?.creates
    ? ok(`${role} may migrate the tables.`)
    : problem(
        `${role} of ${variable} may not create the tables.`,
        `Set DATABASE_MIGRATION_URL to the role that owns the database. ${SEE_ROLES}`,
      );
}

/** Checks that the extensions are created, or can be by the first start. */
export async function checkExtensions({ db }: DatabaseAccess): Promise<Finding> {
  const names = sql.param(EXTENSIONS);
  const rows = await db.execute<{ name: string; created: boolean; isNew: boolean }>(sql`
    select name, installed_version is not null as created, to_regclass('public.installation') is null as "isNew"
    from pg_available_extensions where name = any(${names}::text[])`);
  const absent = EXTENSIONS.filter((name) => rows.every((row) => row.name !== name));
  if (absent.length > 0) {
    const action =
      "Install PostgreSQL's additional modules: postgresql-contrib on some systems, part of the server package on others.";
    return problem(`PostgreSQL does not have the extensions ${absent.join(", ")}.`, action);
  }
  const missing = rows.find(({ created }) => !created);
  if (missing?.isNew) {
    return warning(
      "PostgreSQL has the extensions, and they are not created yet.",
      'Run "floatdeck migrate", or start a server whose role may migrate: that creates them.',
    );
  }
  return missing
    ? problem(
        `The extension ${missing.name} is not created in this database.`,
        `Run "create extension ${missing.name}" as the owner.`,
      )
    : ok(`The extensions ${EXTENSIONS.join(", ")} are created.`);
}

export async function checkMigrations({
  url,
  ownerUrl,
}: Pick<DatabaseAccess, "url" | "ownerUrl">): Promise<Finding> {
  const state = await asOwner(ownerUrl ?? url, readSchemaState).catch((error: unknown) =>
    toSentence(error),
  );
  if (typeof state === "string") {
    return skipped(`the role may not read which were applied. ${state}`);
  }
  const { pending, isAhead, refusal, missingIndexes } = state;
  if (refusal !== null) {
    return problem("This version cannot use the schema.", refusal);
  }
  if (isAhead) {
    return warning(
      "A newer version has migrated the database. This one runs on it, and changes nothing of the schema.",
      "Run that version again once what made you go back is mended.",
    );
  }
  if (pending.length > 0) {
    const detail = `${pending.length} ${pending.length === 1 ? "migration is" : "migrations are"} not applied.`;
    return warning(
      detail,
      'Run "floatdeck migrate" of this version, or start a server whose role may migrate.',
    );
  }
  return missingIndexes.length > 0
    ? warning(
        `These indexes are not built yet: ${missingIndexes.join(", ")}.`,
        "Wait for the server that builds them, or start one. Searches are slow until then.",
      )
    : ok("All migrations are applied.");
}

export async function checkClock({ db }: DatabaseAccess): Promise<Finding> {
  const found = toClockWarning(await measureSkew(db));
  return found === null
    ? ok("This machine's clock agrees with the database's within two seconds.")
    : warning(found, "Run NTP on both machines. What is recorded has the database's time.");
}
