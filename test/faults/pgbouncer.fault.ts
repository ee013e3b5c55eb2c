import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "#lib/base/ids.ts";
import { closeDatabase, configureDatabase } from "#db/client.ts";
import { readFor, readOnceFor } from "#db/reads.ts";
import type { Db } from "#db/client.ts";
import type { Tx } from "#db/transaction.ts";
import {
  findPgBouncer,
  GUIDE_SETTINGS,
  setRoleLimits,
  startPgBouncer,
} from "#test/database/pgbouncer.ts";
import type { RunningPgBouncer } from "#test/database/pgbouncer.ts";
import { Load, newClient, readEffects } from "./load.ts";
import { startRig, waitUntilReady } from "./rig.ts";
import type { AnotherServer, Rig } from "./rig.ts";

/**
 * Two servers behind PgBouncer in transaction mode, with the settings of docs/operations.md. They share fewer sessions
 * than each has connections, so that every connection changes its session all the time.
 */

const POOL_SIZE = 5;
const ROUNDS = 3;
const BACK_WITHIN_MS = 5_000;
const CLIENTS = { count: 20, pauseMs: 5 };

const found = findPgBouncer();

if (!found?.keepsStatements) {
  process.stdout.write(
    "No PgBouncer 1.21 or newer: set PGBOUNCER to its path. Its fault test is skipped.\n",
  );
}

let pgbouncer: RunningPgBouncer;
let rig: Rig;
let another: AnotherServer;

describe.skipIf(!found?.keepsStatements)("behind PgBouncer", () => {
  beforeAll(async () => {
    const environment: Record<string, string> = {};
    const through = async (directUrl: string) => {
      environment["DATABASE_LISTEN_URL"] = directUrl;
      await setRoleLimits(directUrl);
      const settings = GUIDE_SETTINGS.map((line) =>
        line.startsWith("default_pool_size") ? `default_pool_size = ${POOL_SIZE}` : line,
      );
      pgbouncer = await startPgBouncer(
        found ?? { command: "", keepsStatements: false },
        directUrl,
        settings,
      );
      return pgbouncer.through(directUrl);
    };
    rig = await startRig({ through, environment });
    another = await rig.startAnother();
  });

  afterAll(async () => {
    await rig.stop();
    await pgbouncer.stop();
  });

  test("killed three times under forty clients of two servers: only 503 in the gap, nothing lost, nothing twice", async () => {
    const clients = [await newClient(rig), await newClient(another)] as const;
    const loads = [new Load(rig, clients[0], CLIENTS), new Load(another, clients[1], CLIENTS)];
    for (let round = 0; round < ROUNDS; round += 1) {
      await sleep(1_500);
      await pgbouncer.kill();
      await sleep(500);
      await pgbouncer.start();
      for (const server of [rig, another]) {
        expect(await waitUntilReady({ ...server, log: rig.log })).toBeLessThan(BACK_WITHIN_MS);
      }
    }
    await sleep(1_500);
    await Promise.all(loads.map((load) => load.stop()));
    for (const [at, { seen, acknowledged }] of loads.entries()) {
      expect(new Set(seen.map(({ status }) => status)).difference(new Set([200, 503]))).toEqual(
        new Set(),
      );
      const { length } = acknowledged;
      const effects = await readEffects(rig, clients[at] ?? clients[0]);
      expect(effects).toEqual({ keyed: length, balance: length });
    }
    expect(rig.log()).not.toContain("failed unexpectedly");
    expect(await rig.sweep()).toEqual([]);
    const counts = loads.map(({ acknowledged }) => acknowledged.length);
    process.stdout.write(`${counts.join(" and ")} credits, none lost\n`);
  });

  test.each([
    ["of one statement", readOnceFor<unknown>],
    ["in a snapshot", readFor<unknown>],
  ])("a read %s that takes too long is canceled, and cannot write", async (_, read) => {
    configureDatabase(pgbouncer.through(rig.database.appUrl));
    try {
      let canceled: unknown;
      const slow = read(newId(), (db: Db | Tx) =>
        db.execute(sql`select pg_sleep(30)`).catch((error: unknown) => {
          canceled = error;
          throw error;
        }),
      );
      await expect(slow).rejects.toMatchObject({ code: "database_unavailable" });
      // Canceled by us, not by the role's own statement limit.
      await expect
        .poll(() => canceled)
        .toMatchObject({ cause: { message: expect.stringContaining("user request") } });
      const writing = read(newId(), (db: Db | Tx) =>
        db.execute(sql`update integrators set updated_at = now()`),
      );
      await expect(writing).rejects.toMatchObject({
        cause: { cause: { message: expect.stringContaining("read-only") } },
      });
    } finally {
      await closeDatabase();
    }
  });
});
