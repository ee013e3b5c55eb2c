import { execFileSync, spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "#db/postmaster.ts";
import { readGuideConfig } from "./guide-config.ts";

/** HAProxy, with the configuration that docs/operations.md gives. */
export interface Proxy {
  baseUrl: string;
  /** Resolves once it sends requests to both servers. */
  untilAllUp(): Promise<void>;
  stop(): void;
}

const UP_TIMEOUT_MS = 60_000;

/** Whether Debian's package haproxy, or another one, is installed. */
export function isHaproxyInstalled(): boolean {
  return spawnSync("haproxy", ["-v"]).status === 0;
}

/** Starts HAProxy in front of the servers at these two addresses. */
export async function startHaproxy(first: string, second: string): Promise<Proxy> {
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-haproxy-"));
  const [port, statsPort] = [await findFreePort(), await findFreePort()];
  const places = {
    ":8080": `127.0.0.1:${port}`,
    "10.0.0.12:3000": first,
    "10.0.0.13:3000": second,
    "cards.example.com": "127.0.0.1",
  };
  const config = readGuideConfig({ language: "haproxy", holding: "backend api" }, places);
  const stats = `\nlisten stats\n  bind 127.0.0.1:${statsPort}\n  stats enable\n  stats uri /\n`;
  const child = launchHaproxy(`${config}${stats}`, dir);
  const proxy = {
    baseUrl: `http://127.0.0.1:${port}/api`,
    untilAllUp: () => untilAllUp(`http://127.0.0.1:${statsPort}/;csv`),
    stop: () => stop(child, dir),
  };
  await proxy.untilAllUp();
  return proxy;
}

/** Runs HAProxy with this configuration, which it writes into `dir`. @throws Error when HAProxy refuses it. */
export function launchHaproxy(config: string, dir: string): ChildProcess {
  const file = path.join(dir, "haproxy.cfg");
  writeFileSync(file, config);
  execFileSync("haproxy", ["-c", "-f", file]);
  return spawn("haproxy", ["-db", "-f", file], { cwd: dir, stdio: "ignore" });
}

async function untilAllUp(statsUrl: string): Promise<void> {
  const deadline = performance.now() + UP_TIMEOUT_MS;
  while (!(await areAllUp(statsUrl))) {
    if (performance.now() > deadline) {
      throw new Error("HAProxy does not see both servers up.");
    }
    await sleep(100);
  }
}

async function areAllUp(statsUrl: string): Promise<boolean> {
  const answer = await fetch(statsUrl).catch(() => undefined);
  const lines = (await answer?.text())?.split("\n") ?? [];
  const servers = lines.filter((line) => /^[^,]+,floatdeck-[12],/u.test(line));
  return servers.length > 0 && servers.every((line) => line.split(",")[17] === "UP");
}

function stop(child: ChildProcess, dir: string): void {
  child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
}
