import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { prepareHome } from "./embedded-home.ts";
import { startEmbedded } from "./embedded.ts";
import { canConnect, launch } from "./postmaster.ts";

const SETTINGS = ["fsync=off", "full_page_writes=off", "shared_buffers=16MB"];

let place: string;

beforeAll(() => {
  place = mkdtempSync(path.join(tmpdir(), "floatdeck-embedded-start-"));
  chmodSync(place, 0o755);
});

afterAll(() => rmSync(place, { recursive: true, force: true }));

/** The process id of the PostgreSQL that starts there, and answers nobody yet. */
function findStarting(dir: string): Promise<number> {
  const file = path.join(dir, "postgres", "postmaster.pid");
  return vi.waitFor(
    () => {
      const [pid, ...others] = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
      expect(others.at(-2)).toMatch(/^starting/u);
      return Number(pid);
    },
    { timeout: 60_000, interval: 1 },
  );
}

test.each(["SIGKILL", "SIGINT"] as const)(
  "a PostgreSQL that %s ends while it starts is started again",
  async (signal) => {
    const dir = path.join(place, signal);
    const starting = startEmbedded(dir, SETTINGS);
    process.kill(await findStarting(dir), signal);
    const database = await starting;
    expect(await canConnect(database.ownerUrl)).toBe(true);
    await database.stop();
  },
);

test("a PostgreSQL that the system cannot run is an error like any other", async () => {
  const dir = path.join(place, "missing");
  await (await startEmbedded(dir, SETTINGS)).stop();
  const home = { ...prepareHome(dir), binaries: path.join(place, "nowhere") };
  await expect(
    launch({ home, settings: SETTINGS, toOwnerUrl: (port) => `postgres://127.0.0.1:${port}/none` }),
  ).rejects.toThrow(/^The embedded database did not start/u);
});
