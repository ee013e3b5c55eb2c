import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";

/** Runs `npm start` on a temporary data directory, and removes the directory afterward. */
const { PORT = "3917", E2E_DATA_DIR: dataDir } = process.env;
if (!dataDir) {
  throw new Error("E2E_DATA_DIR must name a directory that does not exist yet.");
}
mkdirSync(dataDir);
chmodSync(dataDir, 0o755);
const server = spawn(process.execPath, [path.join(import.meta.dirname, "../bin/start.ts")], {
  // An empty variable counts as absent, so no setting of another server applies to this one.
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
