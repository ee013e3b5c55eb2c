import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { expect, test } from "vitest";
import { client, rig, useRig } from "./each-rig.ts";
import { times } from "./length.ts";
import { Load, credit, readEffects } from "./load.ts";
import type { Seen } from "./load.ts";
import { controlDatabase, databaseProcesses, killDatabase, waitUntilReady } from "./rig.ts";

useRig();

const STUCK_MS = 10_000;
const BACK_WITHIN_MS = 5_000;
/** For how long clients ask a database that hangs, and for how long it hangs after that: longer than any of them waits. */
const ASKING_S = times({ short: 3, long: 12 });
const HANGING_S = 9;

test.each([
  ["restarted fast", async () => controlDatabase(rig, "restart", "-m", "fast")],
  ["restarted at once", async () => controlDatabase(rig, "restart", "-m", "immediate")],
  [
    "killed",
    async () => {
      await killDatabase(rig);
      controlDatabase(rig, "restart");
    },
  ],
])(
  "PostgreSQL %s under twenty clients: only 503 in the gap, nothing stuck, nothing lost",
  async (_, hurt) => {
    const load = new Load(rig, client, { count: 20, pauseMs: 5 });
    await sleep(1_500);
    const { pid } = rig.server;
    await hurt();
    expect(await waitUntilReady(rig)).toBeLessThan(BACK_WITHIN_MS);
    await sleep(2_000);
    await load.stop();
    expect(new Set(load.seen.map(({ status }) => status)).difference(new Set([200, 503]))).toEqual(
      new Set(),
    );
    expect(Math.max(...load.seen.map(({ ms }) => ms))).toBeLessThan(STUCK_MS);
    expect(rig.server.exitCode).toBeNull();
    expect(rig.server.pid).toBe(pid);
    expect(rig.log()).not.toContain("failed unexpectedly");
    const effects = await readEffects(rig, client);
    expect(effects).toEqual({ keyed: load.acknowledged.length, balance: load.acknowledged.length });
    expect(await rig.sweep()).toEqual([]);
  },
);

test(`PostgreSQL frozen for ${ASKING_S + HANGING_S} s: 503 within 8 s, alive throughout, back within 5 s of the thaw`, async () => {
  const frozen = databaseProcesses(rig);
  for (const pid of frozen) {
    process.kill(pid, "SIGSTOP");
  }
  const during: Promise<Seen>[] = [];
  const alive: number[] = [];
  try {
    for (let second = 0; second < ASKING_S; second += 1) {
      during.push(credit(rig, client, null), credit(rig, client, null));
      alive.push((await fetch(`${rig.baseUrl}/health/live`)).status);
      await sleep(1_000);
    }
    await sleep(HANGING_S * 1_000);
  } finally {
    for (const pid of frozen) {
      process.kill(pid, "SIGCONT");
    }
  }
  const answers = await Promise.all(during);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(8_000);
  expect(new Set(alive)).toEqual(new Set([200]));
  expect(await waitUntilReady(rig)).toBeLessThan(BACK_WITHIN_MS);
  expect(await credit(rig, client, null)).toMatchObject({ status: 200 });
  // The response said that nothing was changed, so nothing may have been.
  const unsure = answers.filter(({ code }) => code === "outcome_unknown").length;
  const { balance } = await readEffects(rig, client);
  expect(balance).toBeGreaterThanOrEqual(1);
  expect(balance).toBeLessThanOrEqual(1 + unsure);
  expect(await rig.sweep()).toEqual([]);
});

test("the pool exhausted by a lock: 503 within 2.5 s for the rest, and the process answers throughout", async () => {
  const owner = postgres(rig.database.ownerUrl, { max: 1, onnotice: () => undefined });
  const locked = owner.begin(async (sql) => {
    await sql`select from ledger_accounts where integrator_id = ${client.integratorId} for update`;
    await sleep(4_000);
  });
  await sleep(200);
  const waiting = Array.from({ length: 10 }, () => credit(rig, client, null));
  await sleep(300);
  const rest = Array.from({ length: 20 }, () => credit(rig, client, null));
  const live = await fetch(`${rig.baseUrl}/health/live`);
  expect(live.status).toBe(200);
  const refused = await Promise.all(rest);
  expect(new Set(refused.map(({ status, code }) => `${status} ${code}`))).toEqual(
    new Set(["503 database_unavailable"]),
  );
  expect(Math.max(...refused.map(({ ms }) => ms))).toBeLessThan(2_500);
  await locked;
  await owner.end();
  const served = (await Promise.all(waiting)).filter(({ status }) => status === 200).length;
  expect(served).toBeGreaterThan(0);
  expect(await readEffects(rig, client)).toMatchObject({ balance: served });
  expect(await rig.sweep()).toEqual([]);
});
