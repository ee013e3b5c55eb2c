import { expect, test } from "vitest";
import { testDatabase, withDatabase } from "#test/database/database.ts";
import { startPooler } from "#test/database/pooler.ts";
import { readEnv } from "#lib/base/env.ts";
import type { Finding } from "./finding.ts";
import { checkListen } from "./listen-check.ts";

/** What the check finds with this DATABASE_LISTEN_URL. */
function examine(listenUrl: string): Promise<Finding> {
  const { db, directUrl: url } = testDatabase();
  const settings = readEnv({
    DATABASE_URL: url,
    DATABASE_LISTEN_URL: listenUrl,
    FLOATDECK_SECRET: "a secret for nothing but this test run",
  });
  return checkListen({ db, url, ownerUrl: undefined, settings, close: () => Promise.resolve() });
}

test("a connection that hears the database is in order, by its own URL and by that of the server", async () => {
  expect(await examine(testDatabase().directUrl)).toMatchObject({ status: "ok" });
  expect(await examine("")).toMatchObject({ status: "ok" });
});

test("a database that cannot be reached is a problem", async () => {
  const { status, detail } = await examine("postgres://nobody:x@127.0.0.1:41099/none");
  expect(status).toBe("problem");
  expect(detail).toMatch(/^Servers cannot listen: .*ECONNREFUSED/u);
});

test("another database is a problem", async () => {
  await withDatabase("nothing", async (other) => {
    expect(await examine(other.ownerUrl)).toMatchObject({
      status: "problem",
      detail:
        "Servers cannot listen: DATABASE_URL and DATABASE_LISTEN_URL must lead to the same database.",
    });
  });
});

test("a pooler that lends a connection to several clients is a problem", async () => {
  const pooler = await startPooler(testDatabase().directUrl);
  const { status, detail } = await examine(pooler.url);
  await pooler.close();
  expect(status).toBe("problem");
  expect(detail).toContain("DATABASE_LISTEN_URL leads through a connection pooler");
});
