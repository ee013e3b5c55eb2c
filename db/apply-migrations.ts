import type { Sql } from "postgres";
import { buildIndex } from "./late-indexes.ts";
import { waitForLocks } from "./lock-wait.ts";
import type { LockWait } from "./lock-wait.ts";
import type { KnownMigration } from "./migration-record.ts";

/**
 * An index that an earlier version's tables can have. Before the migration begins, it is built while others read and
 * write, and the migration finds it there.
 */
const BUILT_AHEAD =
  /^\s*(?<create>CREATE (?:UNIQUE )?INDEX) IF NOT EXISTS "(?<name>\w+)" (?<rest>ON .+?);?\s*$/su;

/**
 * Applies migrations in order, each in a transaction of its own, so that no lock outlives the migration that takes
 * it. The record is the one that drizzle-kit reads.
 * @param isNew whether the database has no tables yet.
 */
export async function applyMigrations(
  place: { url: string; client: Sql; wait: LockWait },
  { pending, isNew }: { pending: readonly KnownMigration[]; isNew: boolean },
): Promise<void> {
  const { client } = place;
  await client`create schema if not exists drizzle`;
  await client`create table if not exists drizzle.__drizzle_migrations (
    id serial primary key, hash text not null, created_at bigint, needs bigint)`;
  for (const { statements, hash, when, needs } of pending) {
    const built = isNew ? [] : await buildAhead(place, statements);
    await waitForLocks(place, () =>
      client.begin(async (tx) => {
        // Even a statement whose index exists already would take a lock.
        for (const statement of statements.filter((each) => !built.includes(each))) {
          await tx.unsafe(statement);
        }
        await tx`insert into drizzle.__drizzle_migrations (hash, created_at, needs) values (${hash}, ${when}, ${needs})`;
      }),
    );
  }
}

/** @returns the statements whose indexes are there now. */
async function buildAhead(
  place: { url: string; client: Sql; wait: LockWait },
  statements: readonly string[],
): Promise<string[]> {
  const built: string[] = [];
  for (const statement of statements) {
    const found = BUILT_AHEAD.exec(statement.replaceAll(/^\s*--.*$/gmu, ""))?.groups;
    if (found) {
      const { create, name = "", rest } = found;
      await waitForLocks(place, () =>
        buildIndex(place.client, name, `${create} CONCURRENTLY "${name}" ${rest}`),
      );
      built.push(statement);
    }
  }
  return built;
}
