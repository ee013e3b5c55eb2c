import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Load, newClient } from "./load.ts";
import type { Client } from "./load.ts";
import { startRig } from "./rig.ts";
import type { Rig } from "./rig.ts";

let rig: Rig;
let client: Client;

beforeEach(async () => {
  rig = await startRig();
  client = await newClient(rig);
});

afterEach(() => rig.stop());

const KILLS = 3;
const BACK_WITHIN_MS = 30_000;
const REPLACED_WITHIN_MS = 90_000;
const GONE_WITHIN_MS = 5_000;

test("kill -9 of the pages' process under load: the API answers on, and pages come back", async () => {
  const load = new Load(rig, client, { count: 5, pauseMs: 20 });
  for (let kill = 0; kill < KILLS; kill += 1) {
    const pages = findPages();
    process.kill(pages, "SIGKILL");
    await vi.waitFor(() => expect(isAlive(pages)).toBe(false));
    const answered = load.acknowledged.length;
    // To start again takes many times as long as to be asked.
    const meanwhile = await loadPage();
    expect(meanwhile.status).toBe(503);
    expect(meanwhile.headers.get("retry-after")).toMatch(/^\d+$/u);
    expect(await meanwhile.text()).toContain("Floatdeck");
    await vi.waitFor(async () => expect((await loadPage()).status).toBe(200), {
      timeout: BACK_WITHIN_MS,
      interval: 200,
    });
    expect(findPages()).not.toBe(pages);
    expect(load.acknowledged.length).toBeGreaterThan(answered);
  }
  await load.stop();
  expect(load.seen.filter(({ status }) => status !== 200)).toEqual([]);
  expect(await rig.sweep()).toEqual([]);
});

test("a pages' process that hangs is replaced, and the API answers on", async () => {
  const pages = findPages();
  process.kill(pages, "SIGSTOP");
  const load = new Load(rig, client, { count: 5, pauseMs: 20 });
  const options = { timeout: REPLACED_WITHIN_MS, interval: 500 };
  await vi.waitFor(() => expect(findPages()).not.toBe(pages), options);
  await vi.waitFor(async () => expect((await loadPage()).status).toBe(200), options);
  await load.stop();
  expect(load.seen.filter(({ status }) => status !== 200)).toEqual([]);
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

function loadPage(): Promise<Response> {
  return fetch(new URL("/sign-in", rig.baseUrl), { headers: { accept: "text/html" } });
}

/** The only child of the server. @throws Error when there is none, or another one. */
function findPages(): number {
  const children = execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(rig.server.pid)], {
    encoding: "utf8",
  });
  const found = /^\s*(?<pid>\d+) .*bin\/pages\.ts$/mu.exec(children)?.groups?.["pid"];
  if (!found) {
    throw new Error(`The server has no process for pages:\n${children}`);
  }
  return Number(found);
}

/** A process that nobody has waited for counts as gone: it does nothing any more. */
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
