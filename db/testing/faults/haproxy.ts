import { execFileSync, spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { vi } from "vitest";
import { freePort } from "./rig.ts";

/** HAProxy, with the configuration that docs/operations.md gives. */
export interface Proxy {
  baseUrl: string;
  /** Resolves once it sends requests to both servers. */
  untilAllUp(): Promise<void>;
  stop(): void;
}

const GUIDE = path.join(import.meta.dirname, "../../../docs/operations.md");

/** Whether Debian's package haproxy, or another one, is installed. */
export function isHaproxyInstalled(): boolean {
  return spawnSync("haproxy", ["-v"]).status === 0;
}

/** Starts HAProxy in front of the servers at these two addresses. */
export async function startHaproxy(first: string, second: string): Promise<Proxy> {
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-haproxy-"));
  const [port, statsPort] = [await freePort(), await freePort()];
  const places = {
    ":8080": `127.0.0.1:${port}`,
    "10.0.0.12:3000": first,
    "10.0.0.13:3000": second,
  };
  const stats = `\nlisten stats\n  bind 127.0.0.1:${statsPort}\n  stats enable\n  stats uri /\n`;
  const file = path.join(dir, "haproxy.cfg");
  writeFileSync(file, `${place(readGuide(), places)}${stats}`);
  execFileSync("haproxy", ["-c", "-f", file]);
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: "ignore" });
  const proxy = {
    baseUrl: `http://127.0.0.1:${port}/api`,
    untilAllUp: () => untilAllUp(`http://127.0.0.1:${statsPort}/;csv`),
    stop: () => stop(child, dir),
  };
  await proxy.untilAllUp();
  return proxy;
}

function readGuide(): string {
  const block = /```haproxy\n(?<text>.+?)```/su.exec(readFileSync(GUIDE, "utf8"));
  return block?.groups?.["text"] ?? "";
}

/** Puts the test's addresses in the place of the guide's. @throws Error when the guide does not have one. */
function place(text: string, places: Readonly<Record<string, string>>): string {
  return Object.entries(places).reduce((placed, [from, to]) => {
    if (!placed.includes(from)) {
      throw new Error(`The configuration in docs/operations.md does not contain ${from}.`);
    }
    return placed.replaceAll(from, to);
  }, text);
}

async function untilAllUp(statsUrl: string): Promise<void> {
  await vi.waitUntil(
    async () => {
      const answer = await fetch(statsUrl).catch(() => undefined);
      const lines = (await answer?.text())?.split("\n") ?? [];
      const servers = lines.filter((line) => /^[^,]+,floatdeck-[12],/u.test(line));
      return servers.length > 0 && servers.every((line) => line.split(",")[17] === "UP");
    },
    { timeout: 60_000, interval: 100 },
  );
}

function stop(child: ChildProcess, dir: string): void {
  child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
}
