import { readMigrationFiles } from "drizzle-orm/migrator";
import type { Sql } from "postgres";

/** A migration of this version. */
export interface KnownMigration {
  /** When it was created, in milliseconds since 1970; the order in which migrations are applied. */
  when: number;
  hash: string;
  statements: readonly string[];
  /** The `when` of the oldest migration with which a server runs on this schema. */
  needs: number;
}

/** A migration that was applied to a database. */
interface AppliedMigration {
  when: number;
  hash: string;
  needs: number;
}

/** How a database's schema relates to that of this version. */
export interface MigrationState {
  /** What is to be applied, in order. */
  pending: readonly KnownMigration[];
  /** A newer version has migrated the database, and this one runs on it without changing it. */
  isAhead: boolean;
  /** Why this version can do nothing with the database, in one sentence. */
  refusal: string | null;
}

/**
 * A migration whose changes older servers tolerate names the oldest of them, by the `when` of the last migration that
 * they know, in a line of its own: `-- runs-with: 1795875653391`. Without it, servers that do not know the migration
 * are refused.
 */
const RUNS_WITH = /^-- runs-with: (?<when>\d+)$/mu;

/** The migrations of a folder that drizzle-kit writes, in order. */
export function readKnownMigrations(folder: string): KnownMigration[] {
  return readMigrationFiles({ migrationsFolder: folder })
    .map(({ folderMillis: when, hash, sql: statements }) => ({
      when,
      hash,
      statements,
      needs: Number(RUNS_WITH.exec(statements.join("\n"))?.groups?.["when"] ?? when),
    }))
    .toSorted((one, other) => one.when - other.when);
}

/** Compares what a database has with what this version knows; see `compareMigrations`. Changes nothing. */
export async function readMigrationState(
  client: Sql,
  known: readonly KnownMigration[],
): Promise<MigrationState> {
  return compareMigrations(await readApplied(client), known);
}

/** The migrations that were applied to a database. */
async function readApplied(client: Sql): Promise<AppliedMigration[]> {
  const [table] = await client<{ name: string | null }[]>`
    select to_regclass('drizzle.__drizzle_migrations')::text as name`;
  if (!table?.name) {
    return [];
  }
  // A database from before the first release lacks the column `name`.
  return client<AppliedMigration[]>`
    select created_at::float8 as when, hash, coalesce((to_jsonb(m) ->> 'needs')::float8, created_at::float8) as needs
    from drizzle.__drizzle_migrations m order by created_at`;
}

/**
 * Compares every applied migration, by its time and its content, with what this version knows. An applied migration
 * that differs from every known one, and is not newer than all of them, was edited or never released. A known
 * migration that is missing although a later one was applied is a hole.
 * @param known in order.
 */
export function compareMigrations(
  applied: readonly AppliedMigration[],
  known: readonly KnownMigration[],
): MigrationState {
  const newestKnown = known.at(-1)?.when ?? 0;
  const newer = applied.filter(({ when }) => when > newestKnown);
  const isKnown = ({ when, hash }: AppliedMigration) =>
    known.some((migration) => migration.when === when && migration.hash === hash);
  const foreign = applied.find((each) => each.when <= newestKnown && !isKnown(each));
  const missing = known.filter(({ when }) => applied.every((each) => each.when !== when));
  const newestApplied = Math.max(0, ...applied.map(({ when }) => when));
  const hole = missing.find(({ when }) => when < newestApplied);
  return {
    pending: missing,
    isAhead: newer.length > 0,
    refusal:
      (foreign && `${toForeign(foreign.when)} ${START_ANEW}`) ??
      (newer.some(({ needs }) => needs > newestKnown) ? NEWER : null) ??
      (hole && toHole(hole.when)) ??
      null,
  };
}

const NEWER =
  "The database was set up by a newer version of Floatdeck that this one cannot run beside; start that version or a later one.";

const START_ANEW =
  "It was set up by a version from before the first release of the schema, which cannot be upgraded; use an empty database or an empty DATA_DIR.";

function toForeign(when: number): string {
  return `The database has a migration of ${toTime(when)} that this version does not have or has otherwise.`;
}

function toHole(when: number): string {
  return `The database lacks the migration of ${toTime(when)}, although it has later ones: the version that set it up did not have it. Start that version, or restore a backup from before its migrations.`;
}

function toTime(when: number): string {
  return new Date(when).toISOString();
}
