import { expect, test } from "vitest";
import { withDatabase } from "#test/database/database.ts";
import { runCommand } from "./floatdeck-cli.ts";

const SECRET = { FLOATDECK_SECRET: "a secret for nothing but this test run" };

test("the owner creates the tables, after which the restricted role finds nothing to migrate", async () => {
  await withDatabase("nothing", async ({ directUrl, ownerUrl }) => {
    const restricted = { ...SECRET, DATABASE_URL: directUrl };
    const owner = { ...restricted, DATABASE_MIGRATION_URL: ownerUrl };
    for (const environment of [owner, owner, restricted]) {
      expect(await runCommand(["migrate"], environment)).toEqual({
        code: 0,
        out: "The tables are up to date.\n",
        err: "",
      });
    }
  });
});

test("an embedded database is left to its server", async () => {
  expect(await runCommand(["migrate"], SECRET)).toMatchObject({
    code: 1,
    err: expect.stringContaining("DATABASE_URL must be set"),
  });
});
