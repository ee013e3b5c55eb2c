import { readdirSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { expect, test } from "vitest";
import { migrate } from "./migrate.ts";
import { writeCards } from "#test/database/card-writer.ts";
import { withDatabase } from "#test/database/database.ts";

const NAMES = readdirSync(path.join(import.meta.dirname, "migrations/late"))
  .map((file) => path.basename(file, ".sql"))
  .toSorted();

function connect(url: string, lockTimeoutMs = 0): postgres.Sql {
  return postgres(url, {
    max: 1,
    onnotice: () => undefined,
    connection: { lock_timeout: lockTimeoutMs },
  });
}

async function readValid(owner: postgres.Sql): Promise<string[]> {
  const rows = await owner<{ name: string }[]>`
    select indexrelid::regclass::text as name from pg_index
    where indisvalid and indexrelid::regclass::text = any(${NAMES}) order by 1`;
  return rows.map(({ name }) => name);
}

test("a migrated database has each late index; a build that was interrupted is repeated", async () => {
  await withDatabase("migrated", async ({ ownerUrl }) => {
    const owner = connect(ownerUrl);
    expect(await readValid(owner)).toEqual(NAMES);
    await owner`update pg_index set indisvalid = false where indexrelid = 'cards_metadata'::regclass`;
    await owner`drop index cardholders_search`;
    const others = NAMES.filter(
      (name) => name !== "cards_metadata" && name !== "cardholders_search",
    );
    expect(await readValid(owner)).toEqual(others);
    await migrate(ownerUrl);
    expect(await readValid(owner)).toEqual(NAMES);
    await owner.end();
  });
});

test("a late index is built while others write", async () => {
  await withDatabase("migrated", async ({ ownerUrl }) => {
    const [owner, earlier, other] = [
      connect(ownerUrl),
      connect(ownerUrl),
      // A second in the queue behind a lock is already too long.
      connect(ownerUrl, 1_000),
    ];
    await owner`drop index cards_metadata`;
    const written = await writeCards(earlier);
    const migrated = migrate(ownerUrl);
    await expect
      .poll(
        () =>
          owner`select from pg_stat_activity where query ilike 'create index%' and wait_event_type = 'Lock'`,
      )
      .toHaveLength(1);
    await other`update cards set updated_at = now()`;
    await Promise.all([written.end(), migrated]);
    expect(await readValid(owner)).toEqual(NAMES);
    await Promise.all([owner.end(), earlier.end(), other.end()]);
  });
});
