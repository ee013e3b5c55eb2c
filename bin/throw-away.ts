import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { prepareHome, removeHome } from "#db/embedded-home.ts";
import { findFreePort, stopPostmaster } from "#db/postmaster.ts";
import { arePagesBuilt } from "./build-pages.ts";
import { areBundled, bundle, toBundle } from "./bundle.mjs";
import { NOT_PREPARED } from "./install.mjs";
import { isTestingClientWritten } from "./testing-client.ts";
import { STOP_SIGNALS } from "#lib/base/lifecycle.ts";

/**
 * Runs a server that leaves nothing behind, for tests: on its own data directory, which is removed at the end, and on a
 * free port unless PORT names one. It stops on a signal. With `--attached`, it also stops when its standard input
 * closes, as happens whenever the program that started it ends. Other arguments are those of `start.ts`.
 */
const ATTACHED = "--attached";
const isAttached = process.argv.includes(ATTACHED);
if (isAttached) {
  requirePrepared();
} else {
  await bundle();
}

const dataDir = makeDataDir(process.env["DATA_DIR"]);
const port = process.env["PORT"] ?? String(await findFreePort());
const args = process.argv.slice(2).filter((arg) => arg !== ATTACHED);
const server = spawn(process.execPath, [toBundle("start.ts"), ...args], {
  // An empty variable counts as absent, so no setting of another server applies to this one.
  env: { ...process.env, PORT: port, DATA_DIR: dataDir, DATABASE_URL: "", FLOATDECK_ENV: "" },
  // Its output is read here to the end, so that it never writes to a closed pipe while it stops.
  stdio: ["ignore", "pipe", "pipe"],
});
server.stdout.pipe(process.stdout);
server.stderr.pipe(process.stderr);
for (const output of [process.stdout, process.stderr]) {
  output.on("error", () => undefined);
}

for (const signal of STOP_SIGNALS) {
  process.on(signal, () => server.kill("SIGTERM"));
}
if (isAttached) {
  process.stdin.once("close", () => server.kill("SIGTERM")).resume();
}

server.once("exit", (code) => void removeAll(code ?? 1));

function requirePrepared(): void {
  const needsPages = !process.argv.includes("--api-only");
  if (!isTestingClientWritten() || !areBundled() || (needsPages && !arePagesBuilt())) {
    process.stderr.write(NOT_PREPARED);
    process.exit(1);
  }
}

/** A server that was killed leaves its database running. */
async function removeAll(code: number): Promise<void> {
  await stopPostmaster({ home: prepareHome(dataDir) });
  removeHome(dataDir);
  process.exit(code);
}

/** The account that PostgreSQL runs as must be able to enter it. */
function makeDataDir(named: string | undefined): string {
  const dir = named ?? mkdtempSync(path.join(tmpdir(), "floatdeck-throw-away-"));
  if (named) {
    mkdirSync(named);
  }
  chmodSync(dir, 0o755);
  return dir;
}
