import { execFileSync, spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { vi } from "vitest";
import { findFreePort } from "#db/postmaster.ts";
import { stretch } from "#test/run/calibration.ts";
import { readDeployFile } from "./guide-config.ts";
import type { Places } from "./guide-config.ts";

/** A proxy in front of two servers, with its file in docs/deploy. */
export interface Proxy {
  baseUrl: string;
  /** Resolves once it sends requests to both servers. */
  untilAllUp(): Promise<void>;
  stop(): void;
}

const UP_TIMEOUT_MS = 60_000;

/** Starts HAProxy in front of the servers at these two addresses, with the configuration in docs/deploy, and with these limits in it. */
export async function startHaproxy(
  first: string,
  second: string,
  limits: Places = {},
): Promise<Proxy> {
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-haproxy-"));
  const port = await findFreePort();
  const socket = path.join(dir, "admin.sock");
  const places = {
    ...limits,
    ":8080": `127.0.0.1:${port}`,
    "10.0.0.12:3000": first,
    "10.0.0.13:3000": second,
    "cards.example.com": "127.0.0.1",
    "/run/haproxy/admin.sock": socket,
    // Only root can give up its rights.
    ...(process.getuid?.() === 0 ? {} : { "  user haproxy\n  group haproxy\n": "" }),
  };
  const child = launchHaproxy(readDeployFile("haproxy.cfg", places), dir);
  const proxy = {
    baseUrl: `http://127.0.0.1:${port}/api`,
    untilAllUp: async () => {
      await vi.waitUntil(async () => areAllUp(await readStatus(socket)), {
        timeout: stretch(UP_TIMEOUT_MS),
      });
    },
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

/** What "show stat" prints, empty while nobody listens. */
async function readStatus(socket: string): Promise<string> {
  const connection = connect(socket);
  connection.end("show stat\n");
  return text(connection).catch(() => "");
}

function areAllUp(status: string): boolean {
  const servers = status.split("\n").filter((line) => /^[^,]+,floatdeck-[12],/u.test(line));
  return servers.length > 0 && servers.every((line) => line.split(",")[17] === "UP");
}

function stop(child: ChildProcess, dir: string): void {
  child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
}
