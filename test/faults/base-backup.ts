import { copyFileSync, cpSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Sql } from "postgres";
import type { DatabaseHome } from "#db/embedded-home.ts";

/**
 * Copies a running cluster's files by the SQL interface of base backups: the binaries at hand include no `pg_basebackup`.
 * The WAL is not among them. The cluster must keep it until the copy has it, in a replication slot.
 */
export async function copyCluster(primary: Sql, home: DatabaseHome, data: string): Promise<void> {
  await primary`select pg_backup_start('copy', true)`;
  cpSync(home.data, data, {
    recursive: true,
    verbatimSymlinks: true,
    // As `pg_basebackup` does.
    filter: (source) =>
      !/\/(?:postmaster\.(?:pid|opts)|\.s\.PGSQL\.[^/]+|pg_wal\/.+|pg_replslot\/.+)$/u.test(source),
  });
  const [backup] = await primary`select labelfile from pg_backup_stop(false)`;
  writeFileSync(path.join(data, "backup_label"), String(backup?.["labelfile"]));
}

/** A base backup with the WAL that it needs, so that it starts without the cluster it was taken from. */
export async function takeBaseBackup(
  primary: Sql,
  home: DatabaseHome,
  data: string,
): Promise<void> {
  await primary`select pg_create_physical_replication_slot('backup', true)`;
  try {
    await copyCluster(primary, home, data);
    copyWal(path.join(home.data, "pg_wal"), path.join(data, "pg_wal"));
  } finally {
    await primary`select pg_drop_replication_slot('backup')`;
  }
}

const SEGMENT = /^[0-9A-F]{24}$/u;

/** PostgreSQL recycles segments meanwhile, except those that the replication slot retains. */
function copyWal(from: string, to: string): void {
  for (const segment of readdirSync(from).filter((name) => SEGMENT.test(name))) {
    try {
      copyFileSync(path.join(from, segment), path.join(to, segment));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) {
        throw error;
      }
    }
  }
}
