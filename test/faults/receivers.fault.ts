import { once } from "node:events";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answer, drip, flood, garble, hang, reset, startReceiver } from "#test/outside/receiver.ts";
import type { Behavior, Receiver } from "#test/outside/receiver.ts";
import { times } from "./length.ts";
import { newClient } from "./load.ts";
import type { Client } from "./load.ts";
import { startRig } from "./rig.ts";
import type { Rig } from "./rig.ts";

/**
 * A small young generation, so that the server's memory is what it retains, not garbage that it has yet to collect.
 */
const LITTLE_ROOM = { NODE_OPTIONS: "--max-semi-space-size=1" };

let rig: Rig;
const receivers: Receiver[] = [];

beforeEach(async () => {
  rig = await startRig({ environment: LITTLE_ROOM });
});

afterEach(async () => {
  await rig.stop();
  await Promise.all(receivers.splice(0).map((each) => each.stop()));
});

async function ask(client: Client, line: string, body?: unknown) {
  const [method = "GET", path = ""] = line.split(" ");
  const reply = await fetch(`${rig.baseUrl}${path}`, {
    method,
    headers: client.headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return reply.json();
}

async function notify(client: Client, behavior: Behavior): Promise<Receiver> {
  const receiver = await startReceiver(behavior);
  receivers.push(receiver);
  await ask(client, "PATCH /card-integrators/update", { webhook_url: receiver.url });
  return receiver;
}

/** The first attempt of the test notification. */
async function findFirstTry(client: Client) {
  for (let tried = 0; tried < 400; tried += 1) {
    const { data } = await ask(client, "GET /webhook-deliveries?event=webhook.test");
    const shown = await ask(client, `GET /webhook-deliveries/${data[0].id}`);
    const first = shown.data.attempts.at(-1);
    if (first) {
      return { ...first, state: shown.data.state };
    }
    await sleep(100);
  }
  throw new Error("There was no try.");
}

/**
 * Warm-up: sends each client a notification that is answered at once. Any process grows with its first deliveries.
 */
async function notifyWell(clients: readonly Client[]): Promise<void> {
  for (const client of clients) {
    await notify(client, answer(200));
    await findFirstTry(client);
  }
}

function residentBytes(): number {
  const status = readFileSync(`/proc/${rig.server.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(?<kb>\d+)/u.exec(status)?.groups?.["kb"]) * 1_024;
}

function failMissing(): never {
  throw new Error("There is a client for each case.");
}

const GIGABYTE = 1_000_000_000;
const MEMORY_GROWTH_MAX_BYTES = 30_000_000;

test("receivers that misbehave: each try ends, is classified and shown; memory is bounded, no redirect is followed", async () => {
  const elsewhere = await startReceiver();
  receivers.push(elsewhere);
  let flooded = 0;
  const cases: [Behavior, Record<string, unknown>][] = [
    [answer(200), { status: 200, failure: null, state: "delivered" }],
    [hang, { status: null, failure: "timed_out" }],
    [drip, { status: 200, failure: "timed_out" }],
    [reset, { status: null, failure: "connection_lost" }],
    [garble, { status: null, failure: "response_malformed" }],
    [
      answer(301, { location: "http://169.254.169.254/latest/meta-data" }),
      { status: 301, failure: "redirected" },
    ],
    [answer(307, { location: elsewhere.url }), { status: 307, failure: "redirected" }],
    [answer(500), { status: 500, failure: "server_failed" }],
    [answer(429, { "retry-after": "90" }), { status: 429, failure: "rate_limited" }],
    [answer(410), { status: 410, failure: "gone", state: "stopped" }],
    [
      flood(GIGABYTE, (sent) => {
        flooded = Math.max(flooded, sent);
      }),
      { status: 200, failure: null, state: "delivered" },
    ],
  ];
  const clients: Client[] = [];
  for (const [,] of cases) {
    clients.push(await newClient(rig));
  }
  // A fresh process, since hashing the owners' passwords took memory that has nothing to do with receivers.
  const gone = once(rig.server, "exit");
  rig.server.kill("SIGKILL");
  await gone;
  await rig.restartServer();
  await notifyWell(clients);
  const before = residentBytes();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, residentBytes());
  }, 20);
  try {
    const pairs = cases.map(([behavior, expected], index) => ({
      behavior,
      expected,
      client: clients[index] ?? failMissing(),
    }));
    for (const { client, behavior } of pairs) {
      await notify(client, behavior);
    }
    for (const { client, expected } of pairs) {
      const first = await findFirstTry(client);
      expect(first).toMatchObject(expected);
      expect(first.duration_ms).toBeLessThan(16_500);
      expect(first.explanation === null).toBe(first.failure === null);
    }
  } finally {
    clearInterval(watch);
  }
  expect(elsewhere.connections()).toBe(0);
  expect(flooded).toBeLessThan(GIGABYTE / 50);
  process.stdout.write(`memory grew by ${Math.round((most - before) / 1e6)} MB at most\n`);
  expect(most - before).toBeLessThan(MEMORY_GROWTH_MAX_BYTES);
  expect(rig.server.exitCode).toBeNull();
  expect(await rig.sweep()).toEqual([]);
});

const KILLS = times({ short: 3, long: 10 });

test(`the server killed right after a commit, ${KILLS} times: every event of a change that was answered arrives within 60 s`, async () => {
  const client = await newClient(rig);
  const receiver = await notify(client, answer(200));
  const answered: string[] = [];
  let lastKill = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const line = kill % 2 ? "unfreeze" : "freeze";
    const { status } = await ask(client, `PATCH /cards/${client.cardId}/${line}`);
    answered.push(status === "frozen" ? "card.frozen" : "card.unfrozen");
    const gone = once(rig.server, "exit");
    rig.server.kill("SIGKILL");
    lastKill = Date.now();
    await gone;
    await rig.restartServer();
  }
  const told = () => {
    const bodies = new Set(receiver.received.map(({ body }) => body));
    return [...bodies]
      .map((body) => JSON.parse(body))
      .filter(({ subject }) => subject.id === client.cardId)
      .toSorted((a, b) => a.sequence - b.sequence)
      .map(({ event }) => String(event));
  };
  while (told().length < KILLS && Date.now() - lastKill < 60_000) {
    await sleep(100);
  }
  expect(told()).toEqual(answered);
  expect(await rig.sweep()).toEqual([]);
});
