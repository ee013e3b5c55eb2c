import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

/** `npm start` on a data directory of its own, which goes away with it. */
const dataDir = mkdtempSync(path.join(tmpdir(), "floatdeck-e2e-"));
chmodSync(dataDir, 0o755);
const { PORT = "3917" } = process.env;
const server = spawn(process.execPath, [path.join(import.meta.dirname, "../bin/start.ts")], {
  // An empty variable counts as absent: nothing set for another server reaches this one.
  env: { ...process.env, PORT, DATA_DIR: dataDir, DATABASE_URL: "", FLOATDECK_ENV: "" },
  stdio: "inherit",
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  process.on(signal, () => server.kill(signal));
}

server.once("exit", (code) => {
  rmSync(dataDir, { recursive: true, force: true });
  process.exit(code ?? 1);
});
