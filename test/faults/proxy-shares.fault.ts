import { readFileSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasPackages } from "#test/run/packages.ts";
import { RawConnection, toAnswer } from "#test/outside/raw-http.ts";
import { waitForPages } from "./browser.ts";
import { startHaproxy } from "./haproxy.ts";
import type { Proxy } from "./haproxy.ts";
import { startNginx } from "./nginx.ts";
import { startRig } from "./rig.ts";
import type { Rig } from "./rig.ts";

/** A server behind each proxy of docs/deploy, and clients who open many connections and are slow on them. */

const SLOW = "127.0.0.9";
const FAST = "127.0.0.1";
const SENDERS = 300;
/** The configurations' own limits, small enough for a test. */
const HAPROXY_LIMITS = {
  "fe_conn gt 3000": "fe_conn gt 30",
  "sc0_conn_cur gt 200": "sc0_conn_cur gt 20",
};
const NGINX_LIMITS = { "limit_conn networks 200": "limit_conn networks 20" };
const ESTABLISHED = "01";

const UNFINISHED =
  "POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 40000\r\n\r\n" + "x".repeat(30_000);

let rig: Rig;
let place: string;
let proxy: Proxy;

beforeAll(async () => {
  rig = await startRig({ environment: { TRUSTED_PROXIES: "1" }, serves: "pages" });
  place = new URL(rig.baseUrl).host;
  await waitForPages(rig.baseUrl);
});

afterEach(() => proxy.stop());

afterAll(() => rig.stop());

function open(from: string): Promise<RawConnection> {
  return RawConnection.open(Number(new URL(proxy.baseUrl).port), from);
}

/** Opens as many as the proxy lets. */
async function openMany(count: number): Promise<RawConnection[]> {
  const tried = await Promise.allSettled(Array.from({ length: count }, () => open(SLOW)));
  return tried.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
}

/** A proxy may reset a connection that it refuses while it is being opened: the response is then empty. */
async function ask(from: string): Promise<string> {
  const connection = await open(from).catch(() => undefined);
  if (!connection) {
    return "";
  }
  connection.send("GET /api/health/live HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
  return connection.untilClosed();
}

/** How many connections the server has. */
function countServerConnections(): number {
  const port = Number(place.split(":")[1]).toString(16).toUpperCase().padStart(4, "0");
  const rows = readFileSync("/proc/net/tcp", "utf8").split("\n");
  return rows.filter((row) => {
    const [, local = "", , state] = row.trim().split(/\s+/u);
    return local.endsWith(`:${port}`) && state === ESTABLISHED;
  }).length;
}

function close(connections: readonly RawConnection[]): void {
  for (const { socket } of connections) {
    socket.destroy();
  }
}

/** Sends bodies that do not arrive, and asks something meanwhile. @returns the answer, and the server's connections then. */
async function askWhileSlow(): Promise<{ answer: string; connections: number }> {
  const senders = await openMany(SENDERS);
  for (const sender of senders) {
    sender.send(UNFINISHED);
  }
  await expect.poll(() => senders.every(({ socket }) => socket.writableLength === 0)).toBe(true);
  const answer = await ask(FAST);
  const connections = countServerConnections();
  close(senders);
  return { answer, connections };
}

describe.skipIf(!hasPackages("haproxy"))("behind HAProxy", () => {
  test("bodies that arrive slowly reach no server", async () => {
    proxy = await startHaproxy(place, place);
    const { answer, connections } = await askWhileSlow();
    expect(answer).toMatch(/^HTTP\/1\.1 200 /u);
    expect(connections).toBeLessThan(50);
  });

  test("while most connections are taken, a network with many of them gets no more, and others do", async () => {
    proxy = await startHaproxy(place, place, HAPROXY_LIMITS);
    const few = await openMany(25);
    expect(await ask(SLOW)).toMatch(/^HTTP\/1\.1 200 /u);
    const more = await openMany(40);
    await expect.poll(() => ask(SLOW)).toBe("");
    expect(await ask(FAST)).toMatch(/^HTTP\/1\.1 200 /u);
    close([...few, ...more]);
    await expect.poll(() => ask(SLOW)).toMatch(/^HTTP\/1\.1 200 /u);
  });
});

describe.skipIf(!hasPackages("nginx"))("behind nginx", () => {
  test("bodies that arrive slowly reach no server", async () => {
    proxy = await startNginx(place, place, {
      "limit_conn networks 200": "limit_conn networks 1000",
    });
    const { answer, connections } = await askWhileSlow();
    expect(answer).toMatch(/^HTTP\/1\.1 200 /u);
    expect(connections).toBeLessThan(50);
  });

  test("a network of which many requests are served is refused like a server would, and others are not", async () => {
    proxy = await startNginx(place, place, NGINX_LIMITS);
    const senders = await openMany(25);
    for (const sender of senders) {
      sender.send(UNFINISHED);
    }
    // 20 of them are served from now on.
    await expect.poll(() => senders.filter(({ socket }) => socket.bytesRead > 0).length).toBe(5);
    const refused = toAnswer(await ask(SLOW));
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(JSON.parse(refused.body)).toMatchObject({ code: "rate_limited", status: 429 });
    expect(await ask(FAST)).toMatch(/^HTTP\/1\.1 200 /u);
    close(senders);
    await expect.poll(() => ask(SLOW)).toMatch(/^HTTP\/1\.1 200 /u);
  });
});
