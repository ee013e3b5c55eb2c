import { rmSync } from "node:fs";
import postgres from "postgres";
import { expect, test } from "vitest";
import { applyMigrations } from "./apply-migrations.ts";
import { readKnownMigrations } from "./migration-record.ts";
import { addMigration } from "#test/database/next-version.ts";
import { writeCards } from "#test/database/card-writer.ts";
import { withDatabase } from "#test/database/database.ts";

const WAIT = { timeoutMs: 30_000, report: () => undefined };

/** The next version's migrations that this version has not applied. */
function toPending(folder: string, newest: number) {
  return readKnownMigrations(folder).filter(({ when }) => when > newest);
}

test("an index that a migration names IF NOT EXISTS is built while others write", async () => {
  await withDatabase("migrated", async ({ ownerUrl: url }) => {
    const connect = () => postgres(url, { max: 1, onnotice: () => undefined });
    const [client, holder, writer, eye] = [connect(), connect(), connect(), connect()];
    const { folder, newest } = addMigration([
      '-- Each has its own line.\nCREATE INDEX IF NOT EXISTS "cards_next" ON "cards" USING btree ("created_at")',
      'ALTER INDEX "cards_next" RENAME TO "cards_by_age"',
    ]);
    const written = await writeCards(holder);
    const pending = toPending(folder, newest);
    const applied = applyMigrations({ url, client, wait: WAIT }, { pending, isNew: false });
    await expect
      .poll(
        () => eye`
          select from pg_stat_activity where query ilike 'create index concurrently "cards_next"%' and wait_event_type = 'Lock'`,
      )
      .toHaveLength(1);
    await writer`set lock_timeout = '1s'`;
    await writer`update cards set updated_at = now()`;
    await Promise.all([written.end(), applied]);
    expect(
      await eye`select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indisvalid and c.relname in ('cards_next', 'cards_by_age')`,
    ).toEqual([{ relname: "cards_by_age" }]);
    rmSync(folder, { recursive: true });
    await Promise.all([client, holder, writer, eye].map((sql) => sql.end()));
  });
});

test("a migration that fails leaves nothing of itself, and everything of those before it", async () => {
  await withDatabase("migrated", async ({ ownerUrl: url }) => {
    const client = postgres(url, { max: 1, onnotice: () => undefined });
    const { folder, newest } = addMigration(["CREATE TABLE half (id int)", "SELECT 1 / 0"]);
    const pending = toPending(folder, newest);
    await expect(
      applyMigrations({ url, client, wait: WAIT }, { pending, isNew: false }),
    ).rejects.toThrow("division by zero");
    expect(await client`select to_regclass('half')::text as half`).toEqual([{ half: null }]);
    const [row] =
      await client`select max(created_at)::float8 as at from drizzle.__drizzle_migrations`;
    expect(row?.["at"]).toBe(newest);
    rmSync(folder, { recursive: true });
    await client.end();
  });
});
