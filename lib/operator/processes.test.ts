import { sql } from "drizzle-orm";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { testDatabase } from "#test/database/database.ts";
import { readEnv } from "#lib/base/env.ts";
import { newId } from "#lib/base/ids.ts";
import { countSharers, divideLimits } from "#lib/base/rate.ts";
import { requireSameInstallation } from "#lib/operator/installation.ts";
import { joinInstallation } from "#lib/operator/processes.ts";
import type { JoinedProcess } from "#lib/operator/processes.ts";
import { timeLimit, withTimeLimits } from "#db/time-limits.ts";

let joined: JoinedProcess | undefined;

beforeAll(() => requireSameInstallation(testDatabase().db, readEnv({})));
beforeEach(() => testDatabase().db.execute(sql`delete from processes`));

afterEach(async () => {
  await joined?.leave();
  joined = undefined;
  divideLimits(1);
});

/** Another process, whose last heartbeat was this long ago. */
async function other(kind: string, silentMs = 0): Promise<string> {
  const id = newId();
  await testDatabase().db.execute(sql`
    insert into processes (id, kind, secret_checks, seen_at)
    select ${id}, ${kind}, array[secret_check], clock_timestamp() - make_interval(secs => ${silentMs / 1_000}) from installation`);
  return id;
}

async function findIds(): Promise<string[]> {
  const rows = await testDatabase().db.execute<{ id: string }>(sql`select id from processes`);
  return rows.map(({ id }) => id);
}

describe("a server", () => {
  test("divides the limits with the servers that run, from its start on", async () => {
    await other("server");
    await other("server", timeLimit("serverSilence") / 2);
    await other("server", timeLimit("serverSilence") + 1_000);
    await other("worker");
    await other("command");
    joined = await joinInstallation(testDatabase().db, "server");
    expect(countSharers()).toBe(3);
  });

  test("takes the share of one that dies, and removes it", async () => {
    const dying = await other("server");
    joined = await joinInstallation(testDatabase().db, "server");
    expect(countSharers()).toBe(2);
    await withTimeLimits({ serverSilence: 200 }, async () => {
      await expect.poll(countSharers).toBe(1);
    });
    expect(await findIds()).not.toContain(dying);
  });

  test("that was taken for dead joins again", async () => {
    joined = await joinInstallation(testDatabase().db, "server");
    const [own] = await findIds();
    await testDatabase().db.execute(sql`delete from processes`);
    await expect.poll(findIds).toEqual([own]);
  });

  test("is gone as soon as it has stopped", async () => {
    joined = await joinInstallation(testDatabase().db, "server");
    expect(await findIds()).toHaveLength(1);
    await joined.leave();
    expect(await findIds()).toEqual([]);
  });
});

test("a worker takes no share", async () => {
  await other("server");
  await other("server");
  joined = await joinInstallation(testDatabase().db, "worker");
  await joined.leave();
  joined = await joinInstallation(testDatabase().db, "server");
  expect(countSharers()).toBe(3);
});
