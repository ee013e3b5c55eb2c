import postgres from "postgres";
import type { Sql } from "postgres";
import { expect, test } from "vitest";
import { client, rig, useRig } from "./each-rig.ts";
import { Load, readEffects } from "./load.ts";
import { controlDatabase, killDatabase, waitUntilReady } from "./rig.ts";

useRig();

/** Asynchronous commits, with the longest delay before PostgreSQL writes their WAL. */
const CARELESS = {
  synchronous_commit: "off",
  wal_writer_delay: "10s",
  wal_writer_flush_after: "1GB",
};
const CRASHES_MAX = 5;

async function asOwner<Result>(work: (owner: Sql) => Promise<Result>): Promise<Result> {
  const owner = postgres(rig.database.ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    return await work(owner);
  } finally {
    await owner.end({ timeout: 1 });
  }
}

async function crash(): Promise<void> {
  await killDatabase(rig);
  controlDatabase(rig, "restart");
  await waitUntilReady(rig);
}

/** Whether killing PostgreSQL right after a COMMIT returned loses its row. */
async function losesOthers(): Promise<boolean> {
  await asOwner((owner) => owner`insert into careless default values`);
  await crash();
  const [row] = await asOwner((owner) => owner`select count(*)::int as rows from careless`);
  return row?.["rows"] === 0;
}

test("PostgreSQL with synchronous_commit off is killed with what it has not written: nothing acknowledged is lost", async () => {
  await asOwner(async (owner) => {
    await owner`create table careless ()`;
    for (const [name, value] of Object.entries(CARELESS)) {
      await owner.unsafe(`alter system set ${name} = '${value}'`);
    }
    await owner`select pg_reload_conf()`;
  });
  const load = new Load(rig, client, { count: 8, pauseMs: 5 });
  await expect
    .poll(() => load.acknowledged.length, { timeout: 60_000, interval: 50 })
    .toBeGreaterThan(100);
  await crash();
  await expect.poll(() => load.seen.at(-1)?.status, { timeout: 60_000, interval: 50 }).toBe(200);
  await load.stop();
  const { length } = load.acknowledged;
  expect(await readEffects(rig, client)).toEqual({ keyed: length, balance: length });
  expect(rig.log()).not.toContain("failed unexpectedly");
  // Others lose what they were answered, so the crash was one that loses something.
  let isLost = false;
  for (let crashes = 0; !isLost && crashes < CRASHES_MAX; crashes += 1) {
    await asOwner((owner) => owner`truncate careless`);
    isLost = await losesOthers();
  }
  expect(isLost).toBe(true);
  expect(await rig.sweep()).toEqual([]);
});
