import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { expect, test } from "vitest";
import { client, rig, useRig } from "./each-rig.ts";
import { times } from "./length.ts";
import { Load, readEffects } from "./load.ts";

useRig();

const CLIENTS = 64;
const KILLS = times({ short: 3, long: 10 });
const SHARING_MS = times({ short: 2_000, long: 10_000 });

/** Requests that moved money, and the transactions they shared; and how often the database had to break a deadlock. */
async function readCommits(): Promise<{ moved: number; commits: number; deadlocks: number }> {
  const owner = postgres(rig.database.ownerUrl, { max: 1, onnotice: () => undefined });
  const [row] = await owner`
    select count(*)::int as moved, count(distinct xid)::int as commits,
      (select deadlocks::int from pg_stat_database where datname = current_database()) as deadlocks
    from transfers where integrator_id = ${client.integratorId} and idempotency_key is not null`;
  await owner.end();
  return {
    moved: Number(row?.["moved"]),
    commits: Number(row?.["commits"]),
    deadlocks: Number(row?.["deadlocks"]),
  };
}

test("kill -9 in the middle of batches: nothing acknowledged is lost, nothing is done twice", async () => {
  const load = new Load(rig, client, { count: CLIENTS, pauseMs: 0 });
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(1_000 + Math.random() * 100);
    const gone = once(rig.server, "exit");
    rig.server.kill("SIGKILL");
    await gone;
    await rig.restartServer();
  }
  await load.stop();
  const { moved, commits } = await readCommits();
  expect(moved).toBeGreaterThan(commits * 2);
  const effects = await readEffects(rig, client);
  expect(effects).toEqual({ keyed: load.acknowledged.length, balance: load.acknowledged.length });
  expect(await rig.sweep()).toEqual([]);
});

test("two servers on one database: both serve one float in batches, without a deadlock or a lost cent", async () => {
  const second = await rig.startAnother();
  const loads = [rig, second].map(
    (server) => new Load(server, client, { count: CLIENTS / 2, pauseMs: 0 }),
  );
  await sleep(SHARING_MS);
  await Promise.all(loads.map((load) => load.stop()));
  const seen = loads.flatMap((load) => load.seen);
  expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200]));
  const acknowledged = loads.map((load) => load.acknowledged.length);
  expect(Math.min(...acknowledged)).toBeGreaterThan(CLIENTS);
  const total = acknowledged.reduce((sum, count) => sum + count, 0);
  expect(await readEffects(rig, client)).toEqual({ keyed: total, balance: total });
  const { moved, commits, deadlocks } = await readCommits();
  expect(moved).toBeGreaterThan(commits * 2);
  expect(deadlocks).toBe(0);
  expect(await rig.sweep()).toEqual([]);
});
