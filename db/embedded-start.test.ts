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

/** The process id of the PostgreSQL that starts there, and whether it answers nobody yet. */
function findStarting(dir: string): Promise<{ pid: number; isStarting: boolean }> {
  const file = path.join(dir, "postgres", "postmaster.pid");
  return vi.waitFor(
    () => {
      const [pid, ...others] = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
      const state = others.at(-2) ?? "";
      expect(state).toMatch(/^(?:starting|ready)/u);
      return { pid: Number(pid), isStarting: state.startsWith("starting") };
    },
    { timeout: 60_000, interval: 1 },
  );
}

/** Starts one and ends it while it starts. One that is ready sooner than this process looks is stopped, and another started. */
async function endWhileStarting(
  dir: string,
  signal: NodeJS.Signals,
): ReturnType<typeof startEmbedded> {
  const starting = startEmbedded(dir, SETTINGS);
  const { pid, isStarting } = await findStarting(dir);
  if (isStarting) {
    process.kill(pid, signal);
    return starting;
  }
  await (await starting).stop();
  return endWhileStarting(`${dir}-again`, signal);
}

test.each(["SIGKILL", "SIGINT"] as const)(
  "a PostgreSQL that %s ends while it starts is started again",
  async (signal) => {
    const database = await endWhileStarting(path.join(place, signal), signal);
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
