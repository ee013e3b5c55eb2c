import postgres from "postgres";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Load, newClient, readEffects } from "./load.ts";
import type { Client } from "./load.ts";
import { controlDatabase, killDatabase, startRig, waitUntilReady } from "./rig.ts";
import type { Rig } from "./rig.ts";
import { SmallDisk, canMount } from "./small-disk.ts";

/** A disk of PostgreSQL that really has no room. A test that raises its error is in failover.fault.ts. */

const isMountable = canMount();
if (!isMountable) {
  process.stdout.write("The tests of a full disk are skipped: mounting a small disk needs root.\n");
}

const HEAP_SPARE_MIB = 32;
const WAL_SPARE_MIB = 128;
const SLOW = { timeout: 60_000, interval: 50 };

let rig: Rig;
let client: Client;

describe.skipIf(!isMountable)("a full disk", () => {
  let disk: SmallDisk | undefined;

  beforeEach(async () => {
    rig = await startRig();
    client = await newClient(rig);
  });

  afterEach(async () => {
    if (rig.database.isRunning()) {
      await killDatabase(rig);
    }
    // The disk would hold back the rig's directory.
    disk?.unmount();
    disk = undefined;
    await rig.stop();
  });

  /** Fills the disk under clients, makes room, and lets them go on. @returns what they were answered meanwhile. */
  async function fillUnder(clients: Load, whileFull: () => Promise<void>): Promise<Set<string>> {
    const { acknowledged, seen } = clients;
    await expect.poll(() => acknowledged.length, SLOW).toBeGreaterThan(50);
    const { pid } = rig.server;
    disk?.fill();
    await whileFull();
    const refused = () => seen.filter(({ status }) => status !== 200);
    await expect.poll(() => refused().length, SLOW).toBeGreaterThan(30);
    expect((await fetch(`${rig.baseUrl}/health/live`)).status).toBe(200);
    disk?.free();
    if ((await fetch(`${rig.baseUrl}/health/ready`)).status !== 200) {
      // PostgreSQL has ended, or tries to recover again and again. It once stayed in recovery for good.
      controlDatabase(rig, "restart", "-m", "immediate");
    }
    await waitUntilReady(rig);
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length, SLOW).toBeGreaterThan(before + 50);
    await clients.stop();
    expect(rig.server.pid).toBe(pid);
    expect(rig.server.exitCode).toBeNull();
    expect(rig.log()).not.toContain("failed unexpectedly");
    const { length } = acknowledged;
    expect(await readEffects(rig, client)).toEqual({ keyed: length, balance: length });
    expect(await rig.sweep()).toEqual([]);
    return new Set(refused().map(({ status, code }) => `${status} ${code}`));
  }

  test("of tables: 503 for changes, reads go on, nothing is lost or half done, and served once there is room", async () => {
    disk = SmallDisk.move(rig, "base", HEAP_SPARE_MIB);
    await waitUntilReady(rig);
    const load = new Load(rig, client, { count: 8, pauseMs: 5 });
    const { seen } = load;
    const refusals = await fillUnder(load, async () => {
      await expect.poll(() => seen.at(-1)?.status, SLOW).toBe(503);
      const float = await fetch(`${rig.baseUrl}/card-integrators/float`, {
        headers: client.headers,
      });
      expect(float.status).toBe(200);
      expect(rig.database.isRunning()).toBe(true);
      const readiness = await fetch(`${rig.baseUrl}/health/ready`);
      expect(readiness.status).toBe(200);
      expect(await readiness.text()).toContain("The database's disk is full (53100)");
    });
    expect(refusals).toEqual(new Set(["503 database_full"]));
    expect(rig.log().match(/"msg":"The database's disk is full/gu)).toHaveLength(1);
    const lines = rig.log().match(/"code":"database_full".*"sqlstate":"53100".*No space left/gu);
    expect(lines).toHaveLength(seen.filter(({ code }) => code === "database_full").length);
  });

  test("of the WAL, at which PostgreSQL ends: 503, nothing is lost or half done, and served once it is back", async () => {
    disk = SmallDisk.move(rig, "pg_wal", WAL_SPARE_MIB);
    await waitUntilReady(rig);
    const load = new Load(rig, client, { count: 8, pauseMs: 5 });
    const refusals = await fillUnder(load, useUpWal);
    for (const refusal of refusals) {
      expect(["503 database_unavailable", "503 outcome_unknown"]).toContain(refusal);
    }
  });
});

/** Begins one file of the WAL after the other, until PostgreSQL cannot create the next. */
async function useUpWal(): Promise<void> {
  const owner = postgres(rig.database.ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    for (;;) {
      await owner`select pg_logical_emit_message(false, 'floatdeck', 'used up'), pg_switch_wal()`;
    }
  } catch {
    // It has ended.
  } finally {
    await owner.end({ timeout: 1 });
  }
}
