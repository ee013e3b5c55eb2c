import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { migrate } from "#db/migrate.ts";
import { withDatabase } from "#test/database/database.ts";
import { addMigration } from "#test/database/next-version.ts";
import { checkMigrations } from "./database-checks.ts";

test("a schema that a newer version has migrated, and that this one may use, is a warning", async () => {
  await withDatabase("migrated", async ({ url, ownerUrl }) => {
    const { folder } = addMigration(["CREATE TABLE later (id int)"], "this version");
    await migrate(ownerUrl, undefined, { folder });
    expect(await checkMigrations({ url, ownerUrl })).toEqual({
      status: "warning",
      detail:
        "A newer version has migrated the database. This one runs on it, and changes nothing of the schema.",
      action: "Run that version again once what made you go back is mended.",
    });
    await rm(folder, { recursive: true });
  });
});
