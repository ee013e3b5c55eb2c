import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePort } from "#db/postmaster.ts";
import { ROOT } from "#db/root.ts";
import { readReleaseName } from "#lib/base/release-name.ts";

let place: string;

beforeAll(() => {
  place = mkdtempSync(path.join(tmpdir(), "floatdeck-lines-"));
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

test.each([
  { program: "start.ts", name: "server" },
  { program: "worker.ts", name: "worker" },
  { program: "pages.ts", name: "pages" },
])("the log of $program begins with which process it is", async ({ program, name }) => {
  // Nothing listens there: a server and a worker wait for their database, which is long enough to be read.
  const databaseUrl = `postgres://127.0.0.1:${await findFreePort()}/none`;
  const child = spawn(process.execPath, [path.join(ROOT, "bin", program), "--api-only"], {
    cwd: place,
    env: {
      ...process.env,
      DATA_DIR: place,
      DATABASE_URL: databaseUrl,
      PORT: String(await findFreePort()),
    },
    // The process that serves pages lowers the weight of its whole session.
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  child.send({ socketPath: path.join(place, "socket"), databaseUrl, mode: "production" });
  const gone = once(child, "exit");
  const written = await new Promise<Buffer>((resolve) => child.stderr?.once("data", resolve));
  child.kill("SIGKILL");
  await gone;
  const version = readReleaseName(ROOT);
  const [line = ""] = written.toString().split("\n", 1);
  expect(JSON.parse(line)).toMatchObject({
    process: name,
    version,
    pid: child.pid,
    msg: "The process is starting.",
  });
});
