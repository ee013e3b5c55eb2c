import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { Registry } from "@prometheus-io/client";
import postgres from "postgres";
import { expect, test, vi } from "vitest";
import { call } from "#test/scene/api-client.ts";
import { whileFull } from "#test/database/broken-database.ts";
import { testDatabase } from "#test/database/database.ts";
import { newCard, newIntegrator } from "#test/scene/fixtures.ts";
import { log } from "#lib/base/log.ts";
import { countFullDisk } from "./activity.ts";
import { showDatabase } from "./database-figures.ts";
import { showDisk } from "./gauges.ts";

/** The room that the database has: for connections, and on its disk. */

/** The value of a metric without labels; undefined when there is none. */
async function read(registry: Registry, name: string): Promise<number | undefined> {
  const found = new RegExp(`^${name} (?<value>.+)$`, "mu").exec(await registry.metrics());
  return found?.groups && Number(found.groups["value"]);
}

async function readFigure(name: string): Promise<number | undefined> {
  const registry = new Registry();
  await showDatabase(registry, testDatabase().db)();
  return read(registry, name);
}

/** What somebody sees who may see everything. */
async function askOwner(question: string): Promise<number> {
  const owner = postgres(testDatabase().ownerUrl, { max: 1, onnotice: () => undefined });
  const [row] = await owner.unsafe(`select (${question})::float8 as answer`);
  await owner.end();
  return Number(row?.["answer"]);
}

test("free connections are those that are neither in use nor reserved, though the server's role sees little of others", async () => {
  const free = `
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) - count(*)
    from pg_stat_activity where backend_type = 'client backend'`;
  const holders = postgres(testDatabase().ownerUrl, { max: 12, onnotice: () => undefined });
  await Promise.all(Array.from({ length: 12 }, () => holders`select pg_sleep(0.1)`));
  // Other tests connect to the same PostgreSQL meanwhile. The owner's own connection is one more.
  await expect
    .poll(async () => {
      const seen = await readFigure("floatdeck_database_connections_free");
      return Number(seen) - 1 - (await askOwner(free));
    })
    .toBe(0);
  await holders.end();
});

test("the size of the database is what PostgreSQL says", async () => {
  await expect
    .poll(async () => {
      const seen = await readFigure("floatdeck_database_size_bytes");
      return Number(seen) - (await askOwner("pg_database_size(current_database())"));
    })
    .toBe(0);
});

test("the free space of an embedded database's disk is what this account may still write", async () => {
  const registry = new Registry();
  showDisk(registry, tmpdir());
  const seen = Number(await read(registry, "floatdeck_disk_free_bytes"));
  const { bavail, bsize, blocks } = statfsSync(tmpdir());
  expect(Math.abs(seen - bavail * bsize)).toBeLessThan((blocks * bsize) / 10);
});

test("each refusal of a full disk is counted", async () => {
  vi.spyOn(log, "warn").mockImplementation(() => undefined);
  const registry = new Registry();
  const stop = countFullDisk(registry);
  const integrator = await newIntegrator(100);
  const card = await newCard(integrator);
  const body = { card_id: card.id, amount: 1 };
  const credit = () => call("PATCH /cards/credit/balance", { key: integrator.apiKey, body });
  expect(await read(registry, "floatdeck_database_full_total")).toBe(0);
  await whileFull(async () => {
    expect((await credit()).json).toMatchObject({ code: "database_full" });
    await call("GET /cards", { key: integrator.apiKey });
  });
  expect((await credit()).status).toBe(200);
  expect(await read(registry, "floatdeck_database_full_total")).toBe(1);
  stop();
});
