import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { applyMigrations } from "./apply-migrations.ts";
import { writeCards } from "#test/database/card-writer.ts";
import { withDatabase } from "#test/database/database.ts";

const MIGRATIONS = path.join(import.meta.dirname, "migrations");
const WAIT = { timeoutMs: 30_000, report: () => undefined };

interface Journal {
  entries: { idx: number; tag: string; when: number; breakpoints: boolean; version: string }[];
}

/** This version's migrations, and the next one with these statements. */
function addMigration(statements: readonly string[]): { folder: string; newest: number } {
  const folder = mkdtempSync(path.join(tmpdir(), "floatdeck-migrations-"));
  cpSync(MIGRATIONS, folder, { recursive: true });
  const file = path.join(folder, "meta/_journal.json");
  const journal: Journal = JSON.parse(readFileSync(file, "utf8"));
  const newest = Math.max(...journal.entries.map(({ when }) => when));
  const next = { idx: 9_999, tag: "9999_next", when: newest + 1, breakpoints: true, version: "7" };
  writeFileSync(file, JSON.stringify({ ...journal, entries: [...journal.entries, next] }));
  writeFileSync(path.join(folder, "9999_next.sql"), statements.join(";--> statement-breakpoint\n"));
  return { folder, newest };
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
    const applied = applyMigrations({ url, client, wait: WAIT }, { folder, newest });
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
    await expect(applyMigrations({ url, client, wait: WAIT }, { folder, newest })).rejects.toThrow(
      "division by zero",
    );
    expect(await client`select to_regclass('half')::text as half`).toEqual([{ half: null }]);
    const [row] =
      await client`select max(created_at)::float8 as at from drizzle.__drizzle_migrations`;
    expect(row?.["at"]).toBe(newest);
    rmSync(folder, { recursive: true });
    await client.end();
  });
});
