import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { migrate } from "#db/migrate.ts";
import { ROOT } from "#db/root.ts";
import { addMigration } from "#test/database/next-version.ts";
import { startSwitch } from "#test/upgrade/switch.ts";
import { client, rig, useRig } from "./each-rig.ts";
import { Load, readEffects } from "./load.ts";
import type { AnotherServer } from "./rig.ts";

useRig();

const PHASE_MS = 3_000;
/** About sixty credits a second. */
const PROGRAMS = { count: 4, pauseMs: 50 };

/** What a client may see of servers that are killed: a server's own refusal, a proxy's, or a closed connection. */
const REPEATABLE = new Set([0, 502, 503]);

const folders: string[] = [];

afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

/** The next version: this one with one more migration, which servers of this version tolerate. */
function newNextVersion() {
  const { folder } = addMigration(
    [
      "CREATE TABLE later (id int PRIMARY KEY)",
      "ALTER TABLE cards ADD COLUMN later int",
      "ALTER TABLE transfers ADD COLUMN later text",
    ],
    "this version",
  );
  const root = mkdtempSync(path.join(tmpdir(), "floatdeck-next-"));
  folders.push(folder, root);
  mkdirSync(path.join(root, "db"));
  cpSync(folder, path.join(root, "db/migrations"), { recursive: true });
  for (const name of ["dist", "package.json"]) {
    cpSync(path.join(ROOT, name), path.join(root, name), { recursive: true });
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(root, "node_modules"));
  return { folder, program: path.join(root, "dist/start.js") };
}

async function kill({ server }: Pick<AnotherServer, "server">): Promise<void> {
  const gone = once(server, "exit");
  server.kill("SIGKILL");
  await gone;
}

test("an upgrade, the way back, and the upgrade again lose and double nothing, with servers killed at each step", async () => {
  const proxy = await startSwitch();
  proxy.leadTo([rig.baseUrl]);
  const load = new Load(proxy, client, PROGRAMS);
  const next = newNextVersion();
  await migrate(rig.database.ownerUrl, rig.database.appRole, { folder: next.folder });
  const newer = await rig.startAnother({}, next.program);
  /** Both serve, the one before is killed, and the other serves alone. */
  const hand = async (from: { baseUrl: string; server: AnotherServer["server"] }, to: string) => {
    proxy.leadTo([from.baseUrl, to]);
    await sleep(PHASE_MS);
    await kill(from);
    await sleep(PHASE_MS / 10);
    proxy.leadTo([to]);
    await sleep(PHASE_MS);
  };
  await hand(rig, newer.baseUrl);
  await rig.restartServer();
  await hand(newer, rig.baseUrl);
  await newer.restart();
  await hand(rig, newer.baseUrl);
  await load.stop();
  proxy.stop();
  const failed = load.seen.filter(({ status }) => status !== 200);
  expect(failed.filter(({ status }) => !REPEATABLE.has(status))).toEqual([]);
  expect(load.acknowledged.length).toBeGreaterThan(100);
  expect(await readEffects(rig, client)).toEqual({
    keyed: load.acknowledged.length,
    balance: load.acknowledged.length,
  });
  expect(await rig.sweep()).toEqual([]);
});
