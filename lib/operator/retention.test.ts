import { setTimeout as sleep } from "node:timers/promises";
import { count } from "drizzle-orm";
import postgres from "postgres";
import { afterEach, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { apiLog } from "#db/schema/events.ts";
import {
  readRetentionLag,
  removeExpired,
  startRetention,
  toRetentionWarnings,
} from "#lib/operator/retention.ts";

/** Runs as the owner, whose statements have no time limit. */
async function asOwner<T>(work: (owner: postgres.Sql) => Promise<T>): Promise<T> {
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    return await work(owner);
  } finally {
    await owner.end();
  }
}

afterEach(async () => {
  await asOwner((owner) => owner`truncate api_log`);
});

/** Requests logged one millisecond apart, up to the given number of hours before 30 days ago, with ids of no week. */
async function logExpired(rows: number, hours: number): Promise<void> {
  await asOwner(
    (owner) => owner`
    insert into api_log (id, method, path, status, duration_ms, request_id, created_at)
    select ('ffffffff' || substr(gen_random_uuid()::text, 9))::uuid, 'GET', '/cards', 200, 1, 'r',
      clock_timestamp() - make_interval(days => 30, hours => ${hours}) - make_interval(secs => n / 1000.0)
    from generate_series(1, ${rows}::int) as n`,
  );
}

async function countLogged(): Promise<number> {
  const [row] = await testDatabase().db.select({ rows: count() }).from(apiLog);
  return row?.rows ?? 0;
}

test("one pass removes everything that has expired, however much was written; the rest stays", async () => {
  const { db } = testDatabase();
  await logExpired(101_000, 1);
  await logExpired(10, -1);
  expect(await removeExpired(db)).toBe(101_000);
  expect(await countLogged()).toBe(10);
});

test("removal starts with the server, not an hour later", async () => {
  await logExpired(3, 1);
  const retention = startRetention(testDatabase().db);
  try {
    while ((await countLogged()) > 0) {
      await sleep(5);
    }
  } finally {
    retention.stop();
  }
  expect(await countLogged()).toBe(0);
});

test("a table's lag is reported as a figure, and as a warning from an hour on", async () => {
  const { db } = testDatabase();
  const lagOf = async () =>
    (await readRetentionLag(db)).find(({ table }) => table === "api_log_default")?.seconds ??
    Number.NaN;
  expect(await lagOf()).toBe(0);
  await logExpired(1, 3);
  expect(await lagOf()).toBeCloseTo(3 * 3_600, -2);
  await asOwner((owner) =>
    owner.begin(async (other) => {
      // Another transaction locks the row, so that it cannot be removed.
      await other`select from api_log for update`;
      const retention = startRetention(db);
      try {
        await expect
          .poll(toRetentionWarnings, { timeout: 20_000 })
          .toEqual(["Rows of api_log_default are kept 3.0 h longer than they should be."]);
      } finally {
        retention.stop();
      }
    }),
  );
  // The process keeps what the last check found: a warning that stayed would be one of the next file's.
  const retention = startRetention(db);
  try {
    await expect.poll(toRetentionWarnings, { timeout: 20_000 }).toEqual([]);
  } finally {
    retention.stop();
  }
  expect(await lagOf()).toBe(0);
});
