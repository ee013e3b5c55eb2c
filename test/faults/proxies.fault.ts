import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { waitForPages } from "./browser.ts";
import { times } from "./length.ts";
import { Load, newClient, readEffects } from "./load.ts";
import type { Client, Seen } from "./load.ts";
import { PROXIES } from "./proxies.ts";
import type { Proxy } from "./haproxy.ts";
import { controlDatabase, startRig } from "./rig.ts";
import type { Rig } from "./rig.ts";

/**
 * Two servers behind each proxy of docs/deploy, set up and restarted as docs/operations.md says. The proxies themselves,
 * because what counts is when they notice, which connections they still use, and what they say in our place.
 */

const DRAIN_SECONDS = "3";
const ROUNDS = times({ short: 1, long: 4 });
/** Short enough that every stop meets all of them at work, and long enough that servers start at their usual pace. */
const CLIENTS = { count: 20, pauseMs: 100 };

/** Longer than HAProxy takes to find that no server is ready. */
const OUTAGE_MS = 5_000;

let rig: Rig;
let proxy: Proxy;
let servers: { place: string; child(): ChildProcess; start(): Promise<void> }[];

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<unknown[]> {
  const gone = once(child, "exit");
  child.kill(signal);
  return gone;
}

/** Credits behind the proxy while something happens, and until it is over. @returns every response. */
async function creditWhile(fault: (load: Load) => Promise<void>): Promise<Seen[]> {
  const client = await newClient(proxy);
  const load = new Load(proxy, client, CLIENTS);
  await fault(load);
  await untilMore(load);
  await load.stop();
  const { length } = load.acknowledged;
  expect(await readEffects(rig, client)).toEqual({ keyed: length, balance: length });
  return load.seen;
}

/** Resolves once as many credits have succeeded again as there are clients. */
async function untilMore({ acknowledged }: Load): Promise<void> {
  const { length } = acknowledged;
  await expect.poll(() => acknowledged.length).toBeGreaterThan(length + CLIENTS.count);
}

/** Prints what a fault cost. @returns the responses that were failures. */
function report(fault: string, seen: readonly Seen[]): Seen[] {
  const failed = seen.filter(({ status }) => status !== 200);
  const moments = seen.filter(({ status }) => status === 200).map(({ at }) => at);
  const gap = Math.max(...moments.slice(1).map((at, index) => at - (moments[index] ?? at)));
  const counts = Object.entries(Object.groupBy(failed, ({ status, code }) => `${status} ${code}`));
  const failures = counts.map(([kind, these]) => `${these?.length} × ${kind}`).join(", ");
  process.stdout.write(
    `${fault}: ${seen.length} requests, failed: ${failures || "none"}; longest gap ${(gap / 1_000).toFixed(2)} s\n`,
  );
  return failed;
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

beforeAll(async () => {
  rig = await startRig({
    environment: { DRAIN_SECONDS, TRUSTED_PROXIES: "1" },
    serves: "pages",
  });
  const another = await rig.startAnother();
  servers = [
    { place: new URL(rig.baseUrl).host, child: () => rig.server, start: rig.restartServer },
    {
      place: new URL(another.baseUrl).host,
      child: () => another.server,
      start: another.restart,
    },
  ];
  await Promise.all([rig, another].map(({ baseUrl }) => waitForPages(baseUrl)));
});

afterAll(() => rig.stop());

/**
 * Repeats a request when a reused connection closes without a response, as clients do. HAProxy leaves that to them.
 */
async function fetchAgain(url: string): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await fetch(url);
    } catch (error) {
      if (tries > CLIENTS.count) {
        throw error;
      }
    }
  }
}

/** Whether it is a server's refusal, and says when to try again. */
function isRefusedByServer({ status, code, retryAfter, requestId }: Seen): boolean {
  return status === 503 && code !== null && retryAfter === "1" && requestId !== null;
}

for (const { name, isInstalled, start } of PROXIES) {
  describe.skipIf(!isInstalled)(`behind ${name}`, () => {
    beforeAll(async () => {
      const [first = "", second = ""] = servers.map(({ place }) => place);
      proxy = await start(first, second);
    });

    afterAll(() => proxy.stop());

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
          expect(await end(server.child(), "SIGTERM")).toEqual([0, null]);
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
      report(`${name}, restarts`, load.seen);
      expect(await readEffects(rig, client)).toEqual({ keyed: length, balance: length });
      expect(await rig.sweep()).toEqual([]);
    });

    test("a killed server costs no request that has a key", async () => {
      const seen = await creditWhile(async (load) => {
        for (const server of servers) {
          await untilMore(load);
          await end(server.child(), "SIGKILL");
          await untilMore(load);
          await server.start();
          await proxy.untilAllUp();
        }
      });
      expect(report(`${name}, a killed server`, seen)).toEqual([]);
    });

    test("a stopped database reaches clients as the servers' own refusal, with when to retry", async () => {
      const seen = await creditWhile(async (load) => {
        await untilMore(load);
        controlDatabase(rig, "stop", "-m", "fast");
        await sleep(OUTAGE_MS);
        const page = await fetch(new URL("/sign-in", proxy.baseUrl));
        controlDatabase(rig, "restart");
        expect(page.status).toBe(200);
      });
      const failed = report(`${name}, a stopped database`, seen);
      expect(failed.length).toBeGreaterThan(0);
      expect(failed.filter((each) => !isRefusedByServer(each))).toEqual([]);
    });

    test("without any server, the proxy answers as a server does", async () => {
      await Promise.all(servers.map((server) => end(server.child(), "SIGKILL")));
      const answer = await fetchAgain(`${proxy.baseUrl}/health/live`);
      expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
      expect(answer.headers.get("Retry-After")).toBe("1");
      expect(await answer.json()).toMatchObject({ code: "outcome_unknown", status: answer.status });
      await Promise.all(servers.map((server) => server.start()));
      await proxy.untilAllUp();
    });

    test("a body that is too large is refused by the server", async () => {
      const answer = await fetch(`${proxy.baseUrl}/cards/credit/balance`, {
        method: "PATCH",
        headers: (await newClient(proxy)).headers,
        body: " ".repeat(100_000),
      });
      expect(await answer.json()).toMatchObject({ code: "body_too_large" });
    });
  });
}
