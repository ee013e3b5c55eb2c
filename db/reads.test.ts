import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { requireReady } from "#lib/operator/readiness.ts";
import { databaseCode } from "./failures.ts";
import { readFor, readOnceFor, readTogetherFor } from "./reads.ts";
import { testDatabase } from "#test/database/database.ts";
import { withTimeLimits } from "./time-limits.ts";
import { inTransaction } from "./transaction.ts";
import { closeDatabase, configureDatabase } from "./client.ts";
import type { Db } from "./client.ts";
import type { Tx } from "./transaction.ts";

let owner: Sql;

beforeAll(() => {
  owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
});

afterAll(() => owner.end());

const SLOW_S = 60;
/** Long enough for a busy machine to begin a read, and for what others do meanwhile. */
const LIMITS = { read: 2_000, readStatement: 3_000 } as const;

/** Begins a read that is abandoned after a few seconds. */
function soonAbandoned<T>(read: () => Promise<T>): Promise<T> {
  return withTimeLimits(LIMITS, read);
}

function readSlowly(integratorId: string): Promise<string | undefined> {
  return readFor(integratorId, sleepLong).then(() => "answered", databaseCode);
}

function sleepLong(db: Db | Tx): Promise<unknown> {
  return db.execute(sql`select pg_sleep(${SLOW_S})`);
}

function readAtOnce(db: Db | Tx): Promise<unknown> {
  return db.execute(sql`select 1 as one`).then(([row]) => row?.["one"]);
}

async function countSlow(): Promise<number> {
  const rows = await owner`
    select from pg_stat_activity where datname = current_database()
      and application_name = 'floatdeck reads' and state = 'active'`;
  return rows.length;
}

async function isIdle(): Promise<boolean> {
  const open = await owner`
    select from pg_stat_activity where datname = current_database()
      and application_name = 'floatdeck reads' and state <> 'idle'`;
  return open.length === 0;
}

async function untilIdle(): Promise<void> {
  while (!(await isIdle())) {
    await sleep(10);
  }
}

async function untilSlow(count: number): Promise<void> {
  while ((await countSlow()) !== count) {
    await sleep(10);
  }
}

test("one integrator's slow reads leave the pool available to others, fund movements, and readiness, and are canceled in the database when abandoned", async () => {
  const [greedy, other] = [newId(), newId()];
  const slow = Array.from({ length: 20 }, () => soonAbandoned(() => readSlowly(greedy)));
  await untilSlow(4);
  expect(await readFor(other, readAtOnce)).toBe(1);
  expect(await inTransaction(testDatabase().db, readAtOnce)).toBe(1);
  await requireReady();
  // None of the others has answered or been abandoned yet, and none took a slot beyond its share.
  expect(await countSlow()).toBe(4);
  expect(new Set(await Promise.all(slow))).toEqual(new Set(["database_unavailable"]));
  await untilSlow(0);
  expect(await readFor(greedy, readAtOnce)).toBe(1);
});

test("an abandoned read is canceled in the database, and sends nothing more if it continues", async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<unknown>();
  let canceled: unknown;
  const read = soonAbandoned(() =>
    readFor(newId(), async (db) => {
      canceled = await db.execute(sql`select pg_sleep(${SLOW_S})`).catch((error: unknown) => error);
      // Wait until its transaction has ended too.
      await untilIdle();
      await readAtOnce(db).then(end, end);
    }),
  );
  await expect(read).rejects.toMatchObject({ code: "database_unavailable" });
  expect(await ended).toMatchObject({ cause: { message: expect.stringContaining("had ended") } });
  // Canceled by us, not by the server's own statement limit.
  expect(canceled).toMatchObject({ cause: { message: expect.stringContaining("user request") } });
});

test("a read sees one snapshot, and cannot write", async () => {
  const settings = await readFor(newId(), (db) =>
    db.execute(sql`
      select current_setting('transaction_isolation') as isolation,
        current_setting('transaction_read_only') as readonly`),
  );
  expect(settings[0]).toEqual({ isolation: "repeatable read", readonly: "on" });
  const writing = readFor(newId(), (db) =>
    db.execute(sql`update integrators set updated_at = now()`),
  );
  await expect(writing).rejects.toMatchObject({ cause: expect.anything() });
});

test("an abandoned read of one statement is canceled too, and its connection serves the next read unharmed", async () => {
  let canceled: unknown;
  const read = soonAbandoned(() =>
    readOnceFor(newId(), (db) =>
      db.execute(sql`select pg_sleep(${SLOW_S})`).catch((error: unknown) => {
        canceled = error;
        throw error;
      }),
    ),
  );
  await expect(read).rejects.toMatchObject({ code: "database_unavailable" });
  await untilSlow(0);
  await untilIdle();
  // Canceled by us, not by the server's own statement limit.
  expect(canceled).toMatchObject({ cause: { message: expect.stringContaining("user request") } });
  expect(await readOnceFor(newId(), readAtOnce)).toBe(1);
});

test("a read of one statement sends no second one, and none after it has ended", async () => {
  let left: Db | undefined;
  const second = readOnceFor(newId(), async (db) => {
    left = db;
    await readAtOnce(db);
    return readAtOnce(db);
  });
  await expect(second).rejects.toMatchObject({
    cause: { message: expect.stringContaining("several need a snapshot") },
  });
  await expect(left && readAtOnce(left)).rejects.toMatchObject({
    cause: { message: expect.stringContaining("after its read had ended") },
  });
});

test("a read of one statement cannot write", async () => {
  const writing = readOnceFor(newId(), (db) =>
    db.execute(sql`update integrators set updated_at = now()`),
  );
  await expect(writing).rejects.toMatchObject({
    cause: { cause: { message: expect.stringContaining("read-only") } },
  });
});

/** Which of the database's processes ran the read: there is one for each connection. */
function readProcess(db: Db): Promise<unknown> {
  return db.execute(sql`select pg_backend_pid() as pid`).then(([row]) => row?.["pid"]);
}

test("quick reads of an integrator share a connection, with nobody else's and no other kind of read", async () => {
  const [one, other] = [newId(), newId()];
  // Those of a busy machine may be too far apart.
  await vi.waitFor(async () => {
    const together = [1, 2, 3].map(() => readTogetherFor(one, readProcess));
    const apart = [
      readOnceFor(one, readProcess),
      readTogetherFor(other, readProcess),
      readOnceFor(other, readProcess),
    ];
    const [shared, others] = [await Promise.all(together), await Promise.all(apart)];
    expect(new Set(others).size).toBe(3);
    expect(others.filter((process) => shared.includes(process))).toEqual([]);
    expect(new Set(shared).size).toBe(1);
  });
});

test("a quick read that turns out to be slow delays no later one, and is ended in the database", async () => {
  const integrator = newId();
  const { url } = testDatabase();
  await soonAbandoned(async () => {
    // The database learns its limit when a connection opens.
    await closeDatabase();
    configureDatabase(url, { max: 40 });
    const slow = readTogetherFor(integrator, (db) =>
      db.execute(sql`select pg_sleep(${SLOW_S})`).then(() => "answered"),
    ).catch(databaseCode);
    await untilSlow(1);
    await sleep(10);
    expect(await readTogetherFor(integrator, readAtOnce)).toBe(1);
    expect(await countSlow()).toBe(1);
    expect(await slow).toBe("database_unavailable");
    await untilSlow(0);
  });
  // All four of its turns are free again.
  const later = Array.from({ length: 4 }, () => readTogetherFor(integrator, readAtOnce));
  expect(await Promise.all(later)).toEqual([1, 1, 1, 1]);
});

test("a connection whose quick read failed before it sent anything is shared with no other kind of read", async () => {
  const integrator = newId();
  const failing = readTogetherFor(integrator, () => Promise.reject(new Error("nothing sent")));
  await expect(failing).rejects.toThrow("nothing sent");
  const reads = [readOnceFor(integrator, readProcess), readTogetherFor(integrator, readProcess)];
  expect(new Set(await Promise.all(reads)).size).toBe(2);
});

test("a quick read neither writes nor sends a second statement", async () => {
  const writing = readTogetherFor(newId(), (db) =>
    db.execute(sql`update integrators set updated_at = now()`),
  );
  await expect(writing).rejects.toMatchObject({
    cause: { cause: { message: expect.stringContaining("read-only") } },
  });
  const second = readTogetherFor(newId(), async (db) => {
    await readAtOnce(db);
    return readAtOnce(db);
  });
  await expect(second).rejects.toMatchObject({
    cause: { message: expect.stringContaining("several need a snapshot") },
  });
});

test("a read with a longer timeout than the API gives waits longer, and ends at once when nobody waits for it any more", async () => {
  const integratorId = newId();
  await withTimeLimits({ read: 1 }, async () => {
    const readPatiently = (signal?: AbortSignal) =>
      readFor(integratorId, sleepLong, { timeoutMs: SLOW_S * 1_000, signal });
    await expect(readFor(integratorId, sleepLong)).rejects.toMatchObject({
      code: "database_unavailable",
    });
    // A cancellation that came before its statement has missed it: the statement ends by its own limit.
    await untilSlow(0);
    const leaving = new AbortController();
    const abandoned = readPatiently(leaving.signal);
    await untilSlow(1);
    const reason = new Error("nobody waits");
    leaving.abort(reason);
    await expect(abandoned).rejects.toBe(reason);
    await untilSlow(0);
  });
});
