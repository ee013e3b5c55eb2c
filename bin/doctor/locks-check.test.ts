import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { openDatabase } from "#db/client.ts";
import type { Db } from "#db/client.ts";
import { readEnv } from "#lib/base/env.ts";
import { checkLocks } from "./locks-check.ts";
import type { Finding } from "./finding.ts";

const settings = readEnv({ DATABASE_URL: "postgres://a@b/c", FLOATDECK_SECRET: "s".repeat(40) });

function examine(db: Db, url: string): Promise<Finding> {
  return checkLocks({ db, url, ownerUrl: undefined, settings, close: () => Promise.resolve() });
}

/** Until somebody has waited for so long that it is found. */
async function untilFound(db: Db, url: string): Promise<Finding> {
  const found = await examine(db, url);
  return found.status === "ok" ? untilFound(db, url) : found;
}

test("a session that keeps the server's statements waiting is named, also one of another role, and nobody else is", async () => {
  const { db, directUrl: url } = testDatabase();
  expect(await examine(db, url)).toMatchObject({ status: "ok" });
  const other = openDatabase(testDatabase().ownerUrl, { max: 1 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: held, resolve: tellHeld } = Promise.withResolvers<number>();
  const holding = other.db.transaction(async (tx) => {
    await tx.execute(sql`set local application_name = 'nightly-report'`);
    const [self] = await tx.execute<{ pid: number }>(
      sql`select pg_backend_pid() as pid from pg_advisory_xact_lock(7203999)`,
    );
    tellHeld(self?.pid ?? 0);
    await released;
  });
  const pid = await held;
  const waiting = [1, 2].map(() =>
    db.execute(sql`select 1 from (select pg_advisory_xact_lock(7203999)) as waits`).catch(() => 0),
  );
  const { detail, action } = await untilFound(db, url);
  release();
  await Promise.all([holding, ...waiting]);
  await other.close();
  expect(detail).toMatch(
    new RegExp(
      `^The session ${pid} \\(\\w+, nightly-report\\) holds a lock for which (1 statement has|2 statements have) waited`,
      "u",
    ),
  );
  expect(action).toBe(`Find out who runs it. To end it: select pg_terminate_backend(${pid});`);
});
