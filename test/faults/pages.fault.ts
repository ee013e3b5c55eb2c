import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { availableParallelism, getPriority, tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { readCpuSeconds } from "#bench/stage.ts";
import { findFreePort } from "#db/postmaster.ts";
import { exchangeRaw } from "#test/outside/raw-http.ts";
import { client, rig, useRig } from "./each-rig.ts";
import { Load } from "./load.ts";
import { pagesOf } from "./pages-of.ts";
import { loadPage, untilPagesAnswer } from "./sign-in-page.ts";

const METRICS_PORT = await findFreePort();
useRig({ serves: "pages", environment: { METRICS_PORT: String(METRICS_PORT) } });

const KILLS = 3;
const BACK_WITHIN_MS = 30_000;
const GONE_WITHIN_MS = 5_000;
beforeEach(() => untilPagesAnswer(BACK_WITHIN_MS));

const CLIENTS = 8;
const READERS = 4;
const READING_MS = 5_000;
const BURST_MS = 250;
/** A slow machine may seem not busy for half a second. Without a limit, pages take 2.2 times as much on two processors. */
const TOLERANCE = 1.4;

const LOWEST = 19;
const LOW = 5;
/** Not every kernel has groups by session. */
const AUTOGROUP = "/proc/self/autogroup";
if (!existsSync(AUTOGROUP)) {
  process.stdout.write(
    "The test of the session's weight is skipped: this kernel has no autogroups.\n",
  );
}

async function readMetric(name: string): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
  return Number(new RegExp(`^${name} (?<value>.+)$`, "mu").exec(text)?.groups?.["value"]);
}

test("kill -9 of the pages' process under load: the API answers on, and pages come back", async () => {
  const restartsBefore = await readMetric("floatdeck_pages_restarts_total");
  const load = new Load(rig, client, { count: 5, pauseMs: 20 });
  for (let kill = 0; kill < KILLS; kill += 1) {
    const pages = findPages();
    process.kill(pages, "SIGKILL");
    await vi.waitFor(() => expect(isAlive(pages)).toBe(false));
    const answered = load.acknowledged.length;
    // A restart takes much longer than a request.
    const meanwhile = await loadPage();
    expect(meanwhile.status).toBe(503);
    expect(meanwhile.headers.get("retry-after")).toMatch(/^\d+$/u);
    expect(await meanwhile.text()).toContain("Floatdeck");
    await untilPagesAnswer(BACK_WITHIN_MS);
    expect(findPages()).not.toBe(pages);
    expect(load.acknowledged.length).toBeGreaterThan(answered);
  }
  expect(await readMetric("floatdeck_pages_restarts_total")).toBe(restartsBefore + KILLS);
  await load.stop();
  expect(load.seen.filter(({ status }) => status !== 200)).toEqual([]);
  expect(await rig.sweep()).toEqual([]);
});

test("what the pages' process uses is what the system says, and its processor time outlives it", async () => {
  const seen = await readMetric("floatdeck_pages_memory_bytes");
  const status = readFileSync(`/proc/${findPages()}/status`, "utf8");
  const { kib } = /^VmRSS:\s+(?<kib>\d+)/mu.exec(status)?.groups ?? {};
  // It says so every five seconds.
  expect(seen / (Number(kib) * 1_024)).toBeGreaterThan(0.5);
  expect(seen / (Number(kib) * 1_024)).toBeLessThan(2);
  const usedBefore = await readMetric("floatdeck_pages_cpu_seconds_total");
  expect(usedBefore).toBeGreaterThan(0);
  process.kill(findPages(), "SIGKILL");
  // While there is no process, there is no memory.
  await vi.waitFor(async () => expect(await readMetric("floatdeck_pages_memory_bytes")).toBeNaN());
  await untilPagesAnswer(BACK_WITHIN_MS);
  const usedAfter = await readMetric("floatdeck_pages_cpu_seconds_total");
  expect(usedAfter).toBeGreaterThan(usedBefore);
  expect(usedAfter).toBeGreaterThan(readCpuSeconds(findPages()));
});

test("kill -9 of the server: the pages' process is gone, and its socket with it", async () => {
  const pages = findPages();
  const sockets = findSocketFolders();
  expect(sockets).toHaveLength(1);
  expect(statSync(sockets[0] ?? "").mode & 0o777).toBe(0o700);
  const gone = once(rig.server, "exit");
  rig.server.kill("SIGKILL");
  await gone;
  const options = { timeout: GONE_WITHIN_MS };
  await vi.waitFor(() => expect(isAlive(pages)).toBe(false), options);
  expect(findSocketFolders()).toEqual([]);
});

test("once pages were served, an Upgrade is answered in HTTP/1.1, and nothing but pages is behind them", async () => {
  expect((await loadPage()).status).toBe(200);
  const port = Number(new URL(rig.baseUrl).port);
  const ask = (line: string, rest = "") =>
    exchangeRaw(port, `${line} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close${rest}\r\n\r\n`);
  const upgrade = ", Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__";
  expect((await ask("GET /sign-in", upgrade)).status).toBe(200);
  expect((await ask("GET /api/health/ready", upgrade)).status).toBe(200);
  for (const target of [
    "/./api/cards",
    "/_next/../api/cards",
    "/%61pi/cards",
    "/api/auth/../cards",
  ]) {
    const { status, headers } = await ask(`GET ${target}`);
    expect([target, status]).toEqual([target, 404]);
    expect(headers.get("content-type")).toMatch(/^application\/problem\+json/u);
  }
  const large = await ask("POST /api/auth/callback/credentials", "\r\nContent-Length: 200000000");
  expect(large.status).toBe(413);
});

test("signals to the whole group: pages are answered until the server has drained, and nothing stays", async () => {
  const pages = findPages();
  process.kill(pages, "SIGINT");
  process.kill(pages, "SIGTERM");
  await sleep(500);
  expect((await loadPage()).status).toBe(200);
  expect(findPages()).toBe(pages);
  const gone = once(rig.server, "exit");
  rig.server.kill("SIGTERM");
  process.kill(pages, "SIGTERM");
  const last = await loadPage();
  expect(last.status).toBe(200);
  const [code] = await gone;
  expect(code).toBe(0);
  expect(isAlive(pages)).toBe(false);
  expect(findSocketFolders()).toEqual([]);
});

test("pages yield to the server, in a session of their own", () => {
  const pids = [findPages(), rig.server.pid ?? 0];
  expect(pids.map((pid) => getPriority(pid))).toEqual([LOWEST, 0]);
  const [pages, server] = pids.map((pid) =>
    execFileSync("ps", ["-o", "sid=", "-p", String(pid)], { encoding: "utf8" }).trim(),
  );
  expect(pages).not.toBe(server);
});

test.skipIf(!existsSync(AUTOGROUP))(
  "pages yield to other sessions, such as PostgreSQL's (needs a kernel with autogroups)",
  () => {
    const [pages, server] = [findPages(), rig.server.pid ?? 0].map(readAutogroup);
    expect(pages?.group).not.toBe(server?.group);
    expect([pages?.niceness, server?.niceness ?? 0]).toEqual([LOW, 0]);
  },
);

test("while the API is busy, people who reload pages without a pause take an eighth of the machine", async () => {
  const until = performance.now() + 1_000 + READING_MS;
  // Reads keep the server busy on any disk.
  const busy = Promise.all(times(CLIENTS, () => repeat(until, listCards)));
  // The server notices within half a second.
  await sleep(1_000);
  const pages = findPages();
  const usedBefore = readCpuSeconds(pages);
  const startedAt = performance.now();
  const loaded = await Promise.all(times(READERS, () => repeat(until, loadPage)));
  const allowedMs = BURST_MS + ((performance.now() - startedAt) * availableParallelism()) / 8;
  const usedMs = (readCpuSeconds(pages) - usedBefore) * 1_000;
  expect(usedMs).toBeGreaterThan(0);
  expect(usedMs).toBeLessThan(allowedMs * TOLERANCE);
  expect(Math.min(...loaded, ...(await busy))).toBeGreaterThan(0);
});

/**
 * How the kernel weighs a process's session; see sched(7). It shows nothing for the group that exists from boot, which
 * whatever was started without a session of its own shares. CI may run a server that way.
 */
function readAutogroup(pid: number): { group: string; niceness: number } | undefined {
  const text = readFileSync(`/proc/${pid}/autogroup`, "utf8");
  const shown = /^(?<group>\S+) nice (?<niceness>-?\d+)$/mu.exec(text)?.groups;
  return shown && { group: shown["group"] ?? "", niceness: Number(shown["niceness"]) };
}

/** Sends a request again and again until then. @returns how often it was answered, each time with 200. */
async function repeat(until: number, send: () => Promise<Response>): Promise<number> {
  let answered = 0;
  while (performance.now() < until) {
    const answer = await send();
    await answer.text();
    expect(answer.status).toBe(200);
    answered += 1;
  }
  return answered;
}

function listCards(): Promise<Response> {
  return fetch(new URL("/api/cards", rig.baseUrl), { headers: client.headers });
}

function times<T>(count: number, start: () => T): T[] {
  return Array.from({ length: count }, start);
}

/** The only child of the server. @throws Error when there is none, or another one. */
function findPages(): number {
  const pid = pagesOf(rig.server);
  if (pid === undefined) {
    throw new Error("The server has no process for pages.");
  }
  return pid;
}

/** A zombie process counts as gone: it has exited. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/mu.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

function findSocketFolders(): string[] {
  return readdirSync(tmpdir())
    .filter((name) => name.startsWith(`floatdeck-pages-${rig.server.pid}-`))
    .map((name) => path.join(tmpdir(), name));
}
