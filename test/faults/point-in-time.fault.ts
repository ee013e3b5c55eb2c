import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import postgres from "postgres";
import { afterAll, expect, test } from "vitest";
import { prepareHome, takeOwnership } from "#db/embedded-home.ts";
import type { DatabaseHome } from "#db/embedded-home.ts";
import { stopPostmaster } from "#db/postmaster.ts";
import { hasPackages } from "#test/run/packages.ts";
import { readGuideConfig } from "./guide-config.ts";
import { findSystemPostgres, launchSystem, startSystemCluster } from "./system-postgres.ts";

/** A restore to a moment, with the settings of docs/operations.md. */

const ARCHIVE = "/backup/wal";

const cleanUps: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const cleanUp of cleanUps.toReversed()) {
    await cleanUp();
  }
});

test.skipIf(!hasPackages("postgresql"))(
  "a base backup and the archive restore what there was at a moment, and nothing later",
  async () => {
    const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-moment-"));
    chmodSync(dir, 0o755);
    cleanUps.push(async () => rmSync(dir, { recursive: true, force: true }));
    const binaries = findSystemPostgres() ?? "";
    const archive = path.join(dir, "wal");
    mkdirSync(archive);
    // PostgreSQL has an account of its own.
    chmodSync(archive, 0o777);
    const config = (holding: string, places: Record<string, string>) =>
      readGuideConfig({ language: "ini", holding }, { [ARCHIVE]: archive, ...places });

    const original = path.join(dir, "original");
    mkdirSync(original);
    const cluster = await startSystemCluster(binaries, original, config("archive_command", {}));
    cleanUps.push(cluster.stop);
    const primary = postgres(cluster.adminUrl, { max: 1 });
    await primary`create table moments (name text)`;
    const copy: DatabaseHome = { ...prepareHome(path.join(dir, "copy")), binaries };
    takeBackup(copy, cluster.adminUrl);
    await primary`insert into moments values ('before')`;
    const [row] = await primary<{ now: string }[]>`select clock_timestamp()::text as now`;
    await primary`insert into moments values ('after')`;
    await primary`select pg_switch_wal()`;
    await primary.end();
    // Its last segment is archived before it ends.
    await cluster.stop();

    const target = { "2026-01-31 12:00:00+00": row?.now ?? "" };
    appendFileSync(path.join(copy.data, "postgresql.conf"), config("restore_command", target));
    writeFileSync(path.join(copy.data, "recovery.signal"), "");
    const { postmaster, adminUrl } = await launchSystem(copy);
    cleanUps.push(() => stopPostmaster(postmaster));
    const restored = postgres(adminUrl, { max: 1 });
    cleanUps.push(() => restored.end());
    await expect
      .poll(async () => (await restored`select pg_is_in_recovery() as is`)[0]?.["is"], {
        timeout: 60_000,
      })
      .toBe(false);
    expect(await restored`select name from moments`).toEqual([{ name: "before" }]);
  },
);

function takeBackup(copy: DatabaseHome, url: string): void {
  execFileSync(
    path.join(copy.binaries, "bin", "pg_basebackup"),
    [`--dbname=${url}`, `--pgdata=${copy.data}`, "--checkpoint=fast"],
    { stdio: "ignore" },
  );
  takeOwnership(copy);
}
