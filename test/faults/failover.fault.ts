import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Sql } from "postgres";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { FILL_DISK } from "#test/database/full-disk.ts";
import { Load, credit, newClient, readEffects } from "./load.ts";
import type { Client } from "./load.ts";
import { controlDatabase, killDatabase, startRig, waitUntilReady } from "./rig.ts";
import type { Rig } from "./rig.ts";
import { addStandby, requireStandby } from "./standby.ts";
import type { Standby } from "./standby.ts";
import { Switchboard } from "./switchboard.ts";

let board: Switchboard;
let rig: Rig;
let client: Client;
let standby: Standby | undefined;

/** One rig for all tests: each continues after the faults of the previous ones, and the last leaves it without its primary. */
beforeAll(async () => {
  board = new Switchboard();
  rig = await startRig({ through: board.lay });
});

beforeEach(async () => {
  client = await newClient(rig);
});

afterAll(async () => {
  standby?.stop();
  await rig.stop();
  board.close();
});

const BACK_WITHIN_MS = 5_000;

/** Resolves once this holds. The test's timeout is the limit. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    await sleep(20);
  }
}

async function asOwner(work: (owner: Sql) => Promise<unknown>): Promise<void> {
  const owner = postgres(rig.database.ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    await work(owner);
  } finally {
    await owner.end();
  }
}

/** Does this while commits wait for a standby that there is not. */
async function withoutStandby(work: () => Promise<void>): Promise<void> {
  await requireStandby(rig.database.ownerUrl, "nobody");
  try {
    await work();
  } finally {
    await asOwner(async (owner) => {
      await owner`alter system reset synchronous_standby_names`;
      await owner`select pg_reload_conf()`;
    });
  }
}

async function readReadiness(): Promise<number> {
  return (await fetch(`${rig.baseUrl}/health/ready`)).status;
}

test("no synchronous standby: nothing is acknowledged that only the primary has, and all of it is once there is one", async () => {
  const keys = [randomUUID(), randomUUID()];
  await withoutStandby(async () => {
    const first = await Promise.all(keys.map((key) => credit(rig, client, key)));
    for (const seen of first) {
      expect(seen).toMatchObject({ status: 503 });
      expect(seen.ms).toBeLessThan(10_000);
    }
  });
  for (const key of keys) {
    await until(async () => (await credit(rig, client, key)).status === 200);
  }
  expect(await readEffects(rig, client)).toEqual({ keyed: 2, balance: 2 });
  expect(await rig.sweep()).toEqual([]);
});

test("a primary that crashes while a commit waits for its standby: what it recovers is not acknowledged before the standby has it", async () => {
  const key = randomUUID();
  await withoutStandby(async () => {
    const answer = credit(rig, client, key);
    await asOwner((owner) =>
      until(async () => {
        // The credit's own commit, because heartbeats and other background work commit too.
        const waiting = await owner`
          select from pg_stat_activity join pg_locks using (pid)
          where wait_event = 'SyncRep' and relation = 'entries'::regclass`;
        return waiting.length > 0;
      }),
    );
    await killDatabase(rig);
    controlDatabase(rig, "restart");
    expect(await answer).toMatchObject({ status: 503, code: "outcome_unknown" });
  });
  await until(async () => (await credit(rig, client, key)).status === 200);
  expect(await readEffects(rig, client)).toEqual({ keyed: 1, balance: 1 });
  expect(await rig.sweep()).toEqual([]);
});

test("a database that its operator makes read-only: 503 and not ready, and served again as soon as it is not", async () => {
  expect(await credit(rig, client, null)).toMatchObject({ status: 200 });
  await asOwner(async (owner) => {
    await owner`alter system set default_transaction_read_only = on`;
    await owner`select pg_reload_conf()`;
  });
  await until(async () => (await readReadiness()) === 503);
  expect(await credit(rig, client, null)).toMatchObject({
    status: 503,
    code: "database_unavailable",
  });
  // As the owner, whose own session would be read-only as well.
  await asOwner(async (owner) => {
    await owner`set default_transaction_read_only = off`;
    await owner`alter system reset default_transaction_read_only`;
    await owner`select pg_reload_conf()`;
  });
  await until(async () => (await readReadiness()) === 200);
  expect(await credit(rig, client, null)).toMatchObject({ status: 200 });
  expect(rig.log()).not.toContain("failed unexpectedly");
  expect(await readEffects(rig, client)).toMatchObject({ balance: 2 });
});

test.each([
  ["while the change is made", "create trigger full_disk before insert on entries"],
  [
    "at COMMIT",
    "create constraint trigger full_disk after insert on entries deferrable initially deferred",
  ],
])(
  "the disk is full %s: 503, nothing changed, and served once there is room",
  async (_, trigger) => {
    await asOwner(async (owner) => {
      await owner.unsafe(FILL_DISK);
      await owner.unsafe(`${trigger} for each row execute function fill_disk()`);
    });
    const key = randomUUID();
    expect(await credit(rig, client, key)).toMatchObject({ status: 503, code: "database_full" });
    expect(rig.log()).not.toContain("failed unexpectedly");
    await asOwner((owner) => owner`drop trigger full_disk on entries`);
    expect(await credit(rig, client, key)).toMatchObject({ status: 200 });
    expect(await readEffects(rig, client)).toEqual({ keyed: 1, balance: 1 });
    expect(await rig.sweep()).toEqual([]);
  },
);

test("the primary dies and its standby is promoted under twelve clients: only 503 in the gap, nothing lost, nothing twice", async () => {
  standby = await addStandby(rig);
  const load = new Load(rig, client, { count: 12, pauseMs: 5 });
  await until(() => load.acknowledged.length > 100);
  const { pid } = rig.server;
  await killDatabase(rig);
  // Like a proxy that has not yet detected the new primary: for a while it leads to a node in recovery.
  board.leadTo(standby.ownerUrl);
  await until(async () => (await readReadiness()) === 503);
  const refused = load.seen.length;
  await until(() => load.seen.length > refused + 24);
  expect(await readReadiness()).toBe(503);
  const before = load.seen.length;
  await standby.promote();
  const promoted = performance.now();
  await until(() => load.seen.slice(before).some(({ status }) => status === 200));
  const firstMs = performance.now() - promoted;
  const acknowledged = load.acknowledged.length;
  await until(() => load.acknowledged.length > acknowledged + 100);
  await load.stop();
  rig.database = { ...rig.database, ownerUrl: standby.ownerUrl };
  process.stdout.write(`first success ${Math.round(firstMs)} ms after the promotion\n`);
  expect(firstMs).toBeLessThan(BACK_WITHIN_MS);
  expect(await waitUntilReady(rig)).toBeLessThan(BACK_WITHIN_MS);
  expect(new Set(load.seen.map(({ status }) => status))).toEqual(new Set([200, 503]));
  expect(rig.server.pid).toBe(pid);
  expect(rig.server.exitCode).toBeNull();
  expect(rig.log()).not.toContain("failed unexpectedly");
  const { length } = load.acknowledged;
  expect(await readEffects(rig, client)).toEqual({ keyed: length, balance: length });
  expect(await rig.sweep()).toEqual([]);
});
