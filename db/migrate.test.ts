import postgres from "postgres";
import { expect, test } from "vitest";
import { migrate } from "./migrate.ts";
import { testDatabase } from "./testing/database.ts";

test("migrating again changes nothing, and a database of a newer version is refused in one sentence", async () => {
  const { ownerUrl } = testDatabase();
  await migrate(ownerUrl);
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    await owner`insert into drizzle.__drizzle_migrations (hash, created_at) values ('future', ${Date.now() + 1e9})`;
    await expect(migrate(ownerUrl)).rejects.toThrow(/^The database was set up by a newer version/u);
  } finally {
    await owner.end();
  }
});
