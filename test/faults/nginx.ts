import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { vi } from "vitest";
import { findFreePort } from "#db/postmaster.ts";
import { stretch } from "#test/run/calibration.ts";
import { waitForPages } from "./browser.ts";
import { readDeployFile } from "./guide-config.ts";
import type { Places } from "./guide-config.ts";
import type { Proxy } from "./haproxy.ts";

const START_TIMEOUT_MS = 10_000;
/** The configuration leaves a server that failed alone for a second, and nginx counts whole seconds. */
const FAIL_TIMEOUT_MS = 2_000;

/** Starts nginx in front of the servers at these two addresses, with the configuration in docs/deploy, and with these limits in it. */
export async function startNginx(
  first: string,
  second: string,
  limits: Places = {},
): Promise<Proxy> {
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-nginx-"));
  const port = await findFreePort();
  const places = {
    ...limits,
    "listen 8080": `listen 127.0.0.1:${port}`,
    "10.0.0.12:3000": first,
    "10.0.0.13:3000": second,
    "/var/log/nginx": dir,
  };
  const file = path.join(dir, "nginx.conf");
  writeFileSync(file, readDeployFile("nginx.conf", places));
  const own = `daemon off; pid ${dir}/nginx.pid; error_log ${dir}/error.log;`;
  const args = ["-p", dir, "-c", file, "-g", own];
  execFileSync("nginx", ["-t", "-q", ...args]);
  const child = spawn("nginx", args, { stdio: "ignore" });
  const baseUrl = `http://127.0.0.1:${port}/api`;
  const isAnswered = () =>
    fetch(`${baseUrl}/health/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isAnswered, { timeout: stretch(START_TIMEOUT_MS) });
  return {
    baseUrl,
    untilAllUp: async () => {
      await Promise.all([first, second].map((each) => waitForPages(`http://${each}`)));
      await sleep(FAIL_TIMEOUT_MS);
    },
    stop: () => {
      child.once("exit", () => rmSync(dir, { recursive: true, force: true }));
      // Ends its workers, too.
      child.kill("SIGTERM");
    },
  };
}
