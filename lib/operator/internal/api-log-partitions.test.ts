import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openDatabase } from "#db/client.ts";
import { testDatabase } from "#test/database/database.ts";
import { newIntegrator, reading } from "#test/scene/fixtures.ts";
import type { TestIntegrator } from "#test/scene/fixtures.ts";
import { firstIdAt } from "#lib/base/ids.ts";
import { keepApiLog, readApiLogLag } from "#lib/operator/internal/api-log-partitions.ts";
import { readFigures } from "#lib/operator/figures.ts";
import { removeExpired } from "#lib/operator/retention.ts";
import { listRequests } from "#lib/record/request-log.ts";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** The first Monday, 1970-01-05. Weeks begin on it, in UTC. */
const FIRST_WEEK_MS = 4 * DAY_MS;

let owner: postgres.Sql;
let mine: TestIntegrator;
let other: TestIntegrator;

beforeAll(async () => {
  owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  mine = await newIntegrator();
  other = await newIntegrator();
});

afterAll(async () => {
  await owner.end();
});

/** As if no server had looked after the log yet: only the default partition is there. */
beforeEach(async () => {
  for (const {
    name,
  } of await owner`select name from api_log_partitions() where ends_at is not null`) {
    await owner`drop table ${owner(name)}`;
  }
  await owner`truncate api_log`;
});

const toWeek = (ms: number) => ms - ((ms - FIRST_WEEK_MS) % WEEK_MS);

function toName(week: number): string {
  return `api_log_${new Date(week).toISOString().slice(0, 10).replaceAll("-", "_")}`;
}

/** The weeks that have a partition, oldest first, and then the default partition. */
async function listPartitions(): Promise<string[]> {
  const rows = await owner`select name from api_log_partitions() order by ends_at nulls last`;
  return rows.map(({ name }) => String(name));
}

async function createWeek(week: number): Promise<string> {
  await owner.unsafe(`create table ${toName(week)} partition of api_log
    for values from ('${firstIdAt(week)}') to ('${firstIdAt(week + WEEK_MS)}')`);
  return toName(week);
}

/** The id of a request logged at a time. */
function idAt(ms: number): string {
  return `${firstIdAt(ms).slice(0, 14)}7001-8000-0123456789ab`;
}

async function logAt(ms: number, id = idAt(ms), { id: integratorId } = mine): Promise<string> {
  await testDatabase().db.execute(sql`
    insert into api_log (id, integrator_id, method, path, status, duration_ms, request_id, created_at)
    values (${id}, ${integratorId}, 'GET', '/cards', 200, 1, 'r', to_timestamp(${ms} / 1000.0))
    on conflict (id) do nothing`);
  return id;
}

async function listIds(of = mine): Promise<string[]> {
  const { rows } = await listRequests(reading(of), { limit: 100 });
  return rows.map(({ id }) => id);
}

async function findPartitionOf(id: string): Promise<unknown> {
  const [row] = await owner`select tableoid::regclass::text as name from api_log where id = ${id}`;
  return row?.["name"];
}

describe("partitions of the API log", () => {
  test("are there for this week and the next four, also when two servers look after them at once", async () => {
    const { db, url } = testDatabase();
    const second = openDatabase(url, { max: 1 });
    const week = toWeek(Date.now());
    await Promise.all([keepApiLog(db), keepApiLog(second.db)]);
    // Whoever came second left at once, so the first one may still be at work.
    await keepApiLog(db);
    await second.close();
    expect(await listPartitions()).toEqual([
      ...[0, 1, 2, 3, 4].map((ahead) => toName(week + ahead * WEEK_MS)),
      "api_log_default",
    ]);
    const { apiLogAhead } = await readFigures(db);
    expect(apiLogAhead).toBeGreaterThan(28 * 86_400);
    expect(await findPartitionOf(await logAt(Date.now()))).toBe(toName(week));
  });

  test("are looked after by one session at a time; another one has nothing to do meanwhile", async () => {
    await owner.begin(async (first) => {
      await first`select keep_api_log()`;
      const [second] = await testDatabase().db.execute(sql`select keep_api_log() as done`);
      expect(second).toEqual({ done: null });
    });
  });

  test("leave no request out: one after the last week, before the first, or with an id of no time is logged and listed", async () => {
    await keepApiLog(testDatabase().db);
    const now = Date.now();
    const ids = [
      await logAt(now),
      await logAt(now, idAt(now + 100 * DAY_MS)),
      await logAt(now, idAt(now - 100 * DAY_MS)),
      await logAt(now, "f3b7a9e2-52a1-4c7e-9d3f-0a1b2c3d4e5f"),
    ];
    const others = await logAt(now, idAt(now + 101 * DAY_MS), other);
    expect(await listIds()).toEqual(ids.toSorted().toReversed());
    expect(await listIds(other)).toEqual([others]);
    expect((await readFigures(testDatabase().db)).apiLogStray).toBe(4);
  });

  test("are read and written by a connection that planned its statements before they were there", async () => {
    const connection = postgres(testDatabase().url, { max: 1 });
    await connection`set plan_cache_mode = 'force_generic_plan'`;
    const read = () =>
      connection`select id from api_log where integrator_id = ${mine.id} order by id`;
    const write = (id: string) => connection`
      insert into api_log (id, integrator_id, method, path, status, duration_ms, request_id)
      values (${id}, ${mine.id}, 'GET', '/cards', 200, 1, 'r') on conflict (id) do nothing`;
    const [early, late] = [idAt(Date.now() - 50 * DAY_MS), idAt(Date.now())];
    await write(early);
    expect(await read()).toEqual([{ id: early }]);
    await keepApiLog(testDatabase().db);
    await write(late);
    expect(await read()).toEqual([{ id: early }, { id: late }]);
    expect(await findPartitionOf(late)).toBe(toName(toWeek(Date.now())));
    await connection.end();
  });

  test("are not made for a week that has rows elsewhere, and the rows stay", async () => {
    const week = toWeek(Date.now());
    const id = await logAt(Date.now());
    await keepApiLog(testDatabase().db);
    expect(await listPartitions()).toEqual([
      ...[1, 2, 3, 4].map((ahead) => toName(week + ahead * WEEK_MS)),
      "api_log_default",
    ]);
    expect(await listIds()).toEqual([id]);
  });

  test("are dropped once all of their rows are 30 days old, and no others", async () => {
    const { db } = testDatabase();
    // The last week that is 30 days past, and the one after it.
    const last = toWeek(Date.now() - 30 * DAY_MS) - WEEK_MS;
    const expired = [last - WEEK_MS, last];
    const kept = last + WEEK_MS;
    for (const week of [...expired, kept]) {
      await createWeek(week);
      await logAt(week);
      await logAt(week + WEEK_MS - 1);
    }
    expect(await readApiLogLag(db)).toBeCloseTo((Date.now() - 30 * DAY_MS - last) / 1_000, -2);
    await keepApiLog(db);
    expect((await listPartitions())[0]).toBe(toName(kept));
    expect(await listIds()).toEqual([idAt(kept + WEEK_MS - 1), idAt(kept)]);
    expect(await readApiLogLag(db)).toBe(0);
  });

  test("wait for no reader, and are dropped at the next pass; what is in none is removed meanwhile", async () => {
    const { db } = testDatabase();
    await keepApiLog(db);
    const name = await createWeek(toWeek(Date.now() - 60 * DAY_MS));
    await logAt(Date.now() - 31 * DAY_MS, "f3b7a9e2-52a1-4c7e-9d3f-0a1b2c3d4e5f");
    const reader = postgres(testDatabase().url, { max: 1 });
    await reader.begin(async (tx) => {
      await tx`select from api_log where false`;
      const from = performance.now();
      expect(await removeExpired(db)).toBe(1);
      expect(performance.now() - from).toBeLessThan(2_000);
      expect(await listPartitions()).toContain(name);
    });
    await reader.end();
    await removeExpired(db);
    expect(await listPartitions()).not.toContain(name);
  });
});

/** What the database says to a statement of the server's role. */
async function tryAsServer(statement: string): Promise<string> {
  const connection = postgres(testDatabase().url, { max: 1 });
  const outcome = await connection.unsafe(statement).catch((error: unknown) => error);
  await connection.end();
  return outcome instanceof Error ? outcome.message : "allowed";
}

describe("the server's role", () => {
  test("can neither create, drop, detach, nor empty a partition", async () => {
    const name = await createWeek(toWeek(Date.now()));
    for (const statement of [
      `drop table ${name}`,
      `truncate ${name}`,
      `truncate api_log`,
      `alter table api_log detach partition ${name}`,
      `drop function keep_api_log()`,
      `select bound_api_log()`,
      `select partition_api_log()`,
      `create table api_log_mine partition of api_log default`,
    ]) {
      expect(await tryAsServer(statement)).toMatch(/must be owner|permission denied/u);
    }
  });

  test("cannot choose what is dropped: the owner's function takes no arguments and no other search path", async () => {
    const [row] = await owner`
      select pronargs, prosecdef, proconfig, has_function_privilege('public', oid, 'execute') as everyone
      from pg_proc where proname = 'keep_api_log'`;
    expect(row).toMatchObject({ pronargs: 0, prosecdef: true, everyone: false });
    expect(row?.["proconfig"]).toContain("search_path=pg_catalog, pg_temp");
  });

  test("can neither delete nor change a request of the last 30 days", async () => {
    const { db } = testDatabase();
    await keepApiLog(db);
    const id = await logAt(Date.now());
    await logAt(Date.now() - 31 * DAY_MS, idAt(Date.now() + 1_000));
    await db.execute(sql`update api_log set path = '/forged'`);
    await db.execute(sql`delete from api_log`);
    const { rows } = await listRequests(reading(mine), { limit: 100 });
    expect(rows.map((row) => [row.id, row.path])).toEqual([[id, "/cards"]]);
  });

  test("can clear the idempotency key and the detail of such a request, and with them nothing else", async () => {
    const { db } = testDatabase();
    await keepApiLog(db);
    const id = idAt(Date.now());
    await db.execute(sql`
      insert into api_log (id, integrator_id, method, path, status, duration_ms, request_id, idempotency_key)
      values (${id}, ${mine.id}, 'PATCH', '/cards', 200, 1, 'r', 'a key')`);
    const keyOf = async () => {
      const { rows } = await listRequests(reading(mine), { limit: 100 });
      return rows.find((row) => row.id === id)?.idempotencyKey;
    };
    await db.execute(sql`update api_log set idempotency_key = null, path = '/forged'`);
    await db.execute(sql`update api_log set idempotency_key = 'another', detail = null`);
    expect(await keyOf()).toBe("a key");
    await db.execute(sql`update api_log set idempotency_key = null`);
    expect(await keyOf()).toBeNull();
  });
});
