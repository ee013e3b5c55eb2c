import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitForPages } from "./browser.ts";
import { isHaproxyInstalled, startHaproxy } from "./haproxy.ts";
import type { Proxy } from "./haproxy.ts";
import { times } from "./length.ts";
import { Load, newClient, readEffects } from "./load.ts";
import type { Client } from "./load.ts";
import { startRig } from "./rig.ts";
import type { Rig } from "./rig.ts";

/**
 * Two servers behind HAProxy, set up and restarted as docs/operations.md says. HAProxy itself, because what counts is when
 * it notices and which connections it still uses; nothing in its configuration repeats a failed request.
 */

const DRAIN_SECONDS = "3";
const ROUNDS = times({ short: 1, long: 4 });
/** Short enough that every stop meets all of them at work, and long enough that servers start at their usual pace. */
const CLIENTS = { count: 20, pauseMs: 100 };

let rig: Rig;
let proxy: Proxy;
let servers: { stop(): Promise<unknown>; start(): Promise<void> }[];

async function terminate(server: ChildProcess): Promise<void> {
  const gone = once(server, "exit");
  server.kill("SIGTERM");
  expect(await gone).toEqual([0, null]);
}

/** Loads the sign-in page again and again. @returns the status of each response, once `isOver` says so. */
async function readPages(isOver: () => boolean): Promise<number[]> {
  const statuses: number[] = [];
  while (!isOver()) {
    const page = await fetch(new URL("/sign-in", proxy.baseUrl)).catch(() => undefined);
    await page?.text();
    statuses.push(page?.status ?? 0);
    await sleep(CLIENTS.pauseMs);
  }
  return statuses;
}

/** Follows the feed by waiting for one kind of events. @returns the status of each response and the ids, once there are `count()` of them. */
async function follow(
  { headers }: Client,
  { event, waitS }: { event: string; waitS: number },
  count: () => number,
) {
  const statuses: number[] = [];
  const ids: string[] = [];
  let after = "";
  for (let isLast = false; !isLast;) {
    isLast = ids.length >= count();
    const wait = isLast ? 0 : waitS;
    const url = `${proxy.baseUrl}/events?event=${event}&limit=100&wait=${wait}${after}`;
    const answer = await fetch(url, { headers }).catch(() => undefined);
    statuses.push(answer?.status ?? 0);
    const page = answer?.ok ? await answer.json() : { data: [] };
    ids.push(...page.data.map(({ id }: { id: string }) => id));
    after = page.next_cursor ? `&after=${page.next_cursor}` : after;
    isLast &&= page.data.length === 0;
  }
  return { statuses, ids };
}

describe.skipIf(!isHaproxyInstalled())("behind HAProxy (needs Debian's package haproxy)", () => {
  beforeAll(async () => {
    rig = await startRig({
      environment: { DRAIN_SECONDS, TRUSTED_PROXIES: "1" },
      serves: "pages",
    });
    const another = await rig.startAnother();
    servers = [
      { stop: () => terminate(rig.server), start: rig.restartServer },
      { stop: () => terminate(another.server), start: another.restart },
    ];
    await Promise.all([rig, another].map(({ baseUrl }) => waitForPages(baseUrl)));
    proxy = await startHaproxy(new URL(rig.baseUrl).host, new URL(another.baseUrl).host);
  });

  afterAll(async () => {
    proxy.stop();
    await rig.stop();
  });

  test("two servers restarted in turn: no request fails, for twenty clients, a person who loads pages, and two readers of events", async () => {
    const client = await newClient(proxy);
    const load = new Load(proxy, client, CLIENTS);
    let isOver = false;
    const pages = readPages(() => isOver);
    const credits = follow(client, { event: "card.credited", waitS: 1 }, () =>
      isOver ? load.acknowledged.length : Infinity,
    );
    // Nothing happens for this one, so that every stop finds it waiting.
    const freezes = follow(client, { event: "card.frozen", waitS: 20 }, () =>
      isOver ? 1 : Infinity,
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const server of servers) {
        await server.stop();
        const { length } = load.acknowledged;
        await server.start();
        expect(load.acknowledged.length).toBeGreaterThan(length);
        await proxy.untilAllUp();
      }
    }
    await load.stop();
    isOver = true;
    const { headers } = client;
    const freeze = `${proxy.baseUrl}/cards/${client.cardId}/freeze`;
    expect((await fetch(freeze, { method: "PATCH", headers })).status).toBe(200);
    expect(load.seen.filter(({ status }) => status !== 200)).toEqual([]);
    const [credited, frozen] = [await credits, await freezes];
    const statuses = [...(await pages), ...credited.statuses, ...frozen.statuses];
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    const { length } = load.acknowledged;
    expect([credited.ids.length, new Set(credited.ids).size]).toEqual([length, length]);
    expect(frozen.ids).toHaveLength(1);
    process.stdout.write(`${length} credits, none failed\n`);
    expect(await readEffects(rig, client)).toEqual({ keyed: length, balance: length });
    expect(await rig.sweep()).toEqual([]);
  });
});
