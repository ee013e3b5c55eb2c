import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startWorker } from "#lib/webhooks/worker.ts";
import { answer, hang, startReceiver } from "#test/outside/receiver.ts";
import type { Behavior, Receiver } from "#test/outside/receiver.ts";
import { startWorkerRig } from "./worker-rig.ts";
import type { WorkerRig } from "./worker-rig.ts";
import { times } from "./length.ts";
import { controlDatabase } from "./rig.ts";

let rig: WorkerRig;
let receiver: Receiver;

beforeEach(async () => {
  rig = await startWorkerRig();
  receiver = await startReceiver();
});

afterEach(async () => {
  expect(await rig.sweep()).toEqual([]);
  await receiver.stop();
  await rig.stop();
});

const idsAt = ({ received }: Receiver) =>
  received.map(({ headers }) => String(headers["webhook-id"]));

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function untilDelivered(timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const [row] = await rig.db
      .execute<{ waiting: number }>(
        sql`select count(*)::int as waiting from webhook_deliveries where state <> 'delivered'`,
      )
      .catch(() => [{ waiting: -1 }]);
    if (row?.waiting === 0) {
      return;
    }
    if (Date.now() > deadline) {
      throw new Error(`${row?.waiting} deliveries are still waiting.`);
    }
    await sleep(100);
  }
}

test("four workers and 5,000 pending: each is claimed once, and all have arrived within two minutes", async () => {
  const recorded: string[] = [];
  for (let tenant = 0; tenant < 20; tenant += 1) {
    recorded.push(...(await rig.record(await rig.newTenant(receiver.url), 250)));
  }
  const begun = performance.now();
  await Promise.all(Array.from({ length: 4 }, () => rig.startWorker()));
  await untilDelivered(120_000);
  say(`5,000 pending drained by four workers in ${Math.round(performance.now() - begun)} ms`);
  const [row] = await rig.db.execute<{ attempts: number; most: number }>(
    sql`select count(*)::int as attempts, max(number)::int as most from webhook_attempts`,
  );
  expect(row).toEqual({ attempts: 5_000, most: 1 });
  expect(idsAt(receiver).toSorted()).toEqual(recorded.toSorted());
});

test("a worker killed in mid-send: everything arrives, twice only what was in flight, taken over within 5 s", async () => {
  receiver.behave(hang);
  const tenant = await rig.newTenant(receiver.url);
  const recorded = await rig.record(tenant, 20);
  const first = await rig.startWorker();
  await receiver.waitFor(5);
  const inFlight = idsAt(receiver);
  const killed = Date.now();
  const gone = once(first, "exit");
  first.kill("SIGKILL");
  await gone;
  receiver.behave(answer(200));
  await rig.startWorker();
  await untilDelivered(60_000);
  const seen = idsAt(receiver);
  expect(new Set(seen)).toEqual(new Set(recorded));
  const twice = seen.filter((id, index) => seen.indexOf(id) !== index);
  expect(twice.toSorted()).toEqual(inFlight.toSorted());
  const last = Math.max(...receiver.received.map(({ at }) => at));
  say(`taken over ${last - killed} ms after the worker was killed`);
  expect(last - killed).toBeLessThan(5_000);
});

test("140 events to three endpoints, a worker killed every few moments: each endpoint gets exactly what it asked for", async () => {
  receiver.behave(slow);
  const [second, third] = [await startReceiver(slow), await startReceiver(slow)];
  const tenant = await rig.newTenant(receiver.url);
  await rig.addEndpoint(tenant, { webhookUrl: second.url, events: ["card.frozen"] });
  await rig.addEndpoint(tenant, { webhookUrl: third.url, events: ["card.frozen", "card.closed"] });
  try {
    const recorded = new Map<string, string>();
    const killing = new AbortController();
    const killed = killRepeatedly(killing.signal);
    for (let made = 0; made < 140; made += 1) {
      const name = NAMES[made % NAMES.length] ?? "card.created";
      recorded.set(await rig.recordNamed(tenant, name), name);
      await sleep(20);
    }
    killing.abort();
    const kills = await killed;
    await rig.startWorker();
    await untilDelivered(60_000);
    const asked = (...names: string[]) =>
      new Set([...recorded].filter(([, name]) => names.includes(name)).map(([id]) => id));
    expect(new Set(idsAt(receiver))).toEqual(asked(...NAMES));
    expect(new Set(idsAt(second))).toEqual(asked("card.frozen"));
    expect(new Set(idsAt(third))).toEqual(asked("card.frozen", "card.closed"));
    const rows = await rig.db.execute<{ count: number }>(sql`
      select count(*)::int from webhook_deliveries group by endpoint_id order by 1`);
    expect(rows.map(({ count }) => count)).toEqual([35, 70, 140]);
    const sent = receiver.received.length + second.received.length + third.received.length;
    say(`245 deliveries to three endpoints arrived in ${sent} attempts, ${kills} workers killed`);
    expect(kills).toBeGreaterThan(2);
  } finally {
    await Promise.all([second.stop(), third.stop()]);
  }
});

/** Some attempts are in flight when a worker is killed. */
const slow: Behavior = (response) => void setTimeout(() => response.end(), 20);

const NAMES = ["card.created", "card.frozen", "card.closed", "card.updated"] as const;

/** Starts a worker and kills it in mid-send, until it is told to stop. @returns how many were killed. */
async function killRepeatedly(stopped: AbortSignal): Promise<number> {
  let kills = 0;
  while (!stopped.aborted) {
    const worker = await rig.startWorker();
    await sleep(300);
    const gone = once(worker, "exit");
    worker.kill("SIGKILL");
    await gone;
    kills += 1;
  }
  return kills;
}

test("SIGTERM in mid-send: what is in flight arrives and is recorded, nothing is left claimed, exit within 25 s", async () => {
  receiver.behave((response) => void setTimeout(() => response.end(), 2_000));
  const tenant = await rig.newTenant(receiver.url);
  await rig.record(tenant, 20);
  const worker = await rig.startWorker();
  await receiver.waitFor(5);
  const stopped = performance.now();
  const gone = once(worker, "exit");
  worker.kill("SIGTERM");
  const [code] = await gone;
  expect(code).toBe(0);
  expect(performance.now() - stopped).toBeLessThan(25_000);
  const rows = await rig.db.execute(sql`
    select state, locked_by, count(*)::int from webhook_deliveries group by state, locked_by order by state`);
  expect([...rows]).toEqual([
    { state: "delivered", locked_by: null, count: 5 },
    { state: "pending", locked_by: null, count: 15 },
  ]);
});

test.each(["fast", "immediate"])(
  "PostgreSQL restarted (%s) under a worker: it lives, and everything arrives",
  async (mode) => {
    receiver.behave((response) => void setTimeout(() => response.end(), 50));
    const recorded: string[] = [];
    for (let tenant = 0; tenant < 4; tenant += 1) {
      recorded.push(...(await rig.record(await rig.newTenant(receiver.url), 100)));
    }
    const worker = await rig.startWorker();
    await receiver.waitFor(50);
    controlDatabase(rig, "restart", "-m", mode);
    await untilDelivered(60_000);
    expect(new Set(idsAt(receiver))).toEqual(new Set(recorded));
    expect(receiver.received.length - recorded.length).toBeLessThanOrEqual(50);
    expect(worker.exitCode).toBeNull();
  },
);

const EVENTS_PER_SECOND = 50;
const SECONDS = times({ short: 5, long: 20 });
/** The initial maximum in flight at one endpoint. All hanging endpoints together could take a whole worker. */
const BURST = 5;

test("ten of a hundred receivers hanging: the others hear within a second", async () => {
  const hanging = await startReceiver(hang);
  const tenants: string[] = [];
  for (let made = 0; made < 100; made += 1) {
    tenants.push(await rig.newTenant(made % 10 === 0 ? hanging.url : receiver.url));
  }
  for (let stuck = 0; stuck < 100; stuck += 10) {
    await rig.record(tenants[stuck] ?? "", BURST);
  }
  const worker = startWorker(rig.db, { environment: "sandbox", loopback: true });
  try {
    await hanging.waitFor(25);
    const committed = new Map<string, number>();
    const begun = Date.now();
    for (let sent = 0; sent < EVENTS_PER_SECOND * SECONDS; sent += 1) {
      const [id = ""] = await rig.record(tenants[sent % 100] ?? "", 1);
      if (sent % 10 !== 0) {
        committed.set(id, Date.now());
      }
      await sleep(Math.max(0, begun + ((sent + 1) * 1_000) / EVENTS_PER_SECOND - Date.now()));
    }
    await receiver.waitFor(committed.size, 5_000);
    const delays = receiver.received
      .map(({ headers, at }) => at - (committed.get(String(headers["webhook-id"])) ?? 0))
      .toSorted((a, b) => a - b);
    const at = (part: number) => delays[Math.floor(delays.length * part)] ?? 0;
    say(
      `${EVENTS_PER_SECOND} events/s, 10 of 100 receivers hanging: commit to receiver p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(0.9999)} ms; ${hanging.received.length} tries hung`,
    );
    expect(delays).toHaveLength(committed.size);
    expect(at(0.5)).toBeLessThan(1_000);
    expect(at(0.99)).toBeLessThan(3_000);
  } finally {
    await hanging.stop();
    await worker.stop();
  }
});
