import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, chownSync, openSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import type { Sql } from "postgres";
import { findFreePort } from "#db/postmaster.ts";
import { copyCluster } from "./base-backup.ts";
import type { Rig } from "./rig.ts";

/** A streaming standby of a rig's database. */
export interface Standby {
  /** As the role that owns the tables. */
  ownerUrl: string;
  /** Resolves once it accepts changes. */
  promote(): Promise<void>;
  stop(): void;
}

const READY_TIMEOUT_MS = 60_000;

/** Copies the rig's database while it runs, and starts the copy as a standby that commits have to reach. */
export async function addStandby(rig: Rig): Promise<Standby> {
  const data = `${rig.home.data}-standby`;
  const primary = postgres(rig.database.ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    await primary`select pg_create_physical_replication_slot('standby', true)`;
    await copyCluster(primary, rig.home, data);
    writeFileSync(path.join(data, "standby.signal"), "");
    const port = await findFreePort();
    configure(rig, data, port);
    await requireStandby(rig.database.ownerUrl, "*");
    launch(rig, data);
    const ownerUrl = new URL(rig.database.ownerUrl);
    ownerUrl.port = String(port);
    await until(
      primary,
      (sql) => sql`select from pg_stat_replication where sync_state in ('sync', 'quorum')`,
    );
    return {
      ownerUrl: ownerUrl.href,
      promote: () => promote(ownerUrl.href),
      stop: () => stop(rig, data),
    };
  } finally {
    await primary.end();
  }
}

/**
 * Has commits wait for one of these standbys, none of which is connected yet, and resolves once they do. After a reload
 * the checkpointer puts the list into effect, seconds late when it is busy, and until then PostgreSQL answers commits
 * that only the primary has.
 */
export async function requireStandby(primaryUrl: string, names: string): Promise<void> {
  const owner = postgres(primaryUrl, { max: 1, onnotice: () => undefined });
  const committer = postgres(primaryUrl, { max: 1, onnotice: () => undefined });
  try {
    await owner`alter system set synchronous_standby_names = ${owner.unsafe(`'${names}'`)}`;
    await owner`select pg_reload_conf()`;
    const [session] = await committer`select pg_backend_pid() as pid`;
    const pid: number = session?.["pid"];
    const commits = keepCommitting(committer);
    await until(
      owner,
      (sql) => sql`select from pg_stat_activity where pid = ${pid} and wait_event = 'SyncRep'`,
    );
    await owner`select pg_terminate_backend(${pid})`;
    await commits;
  } finally {
    await Promise.all([owner.end(), committer.end({ timeout: 0 })]);
  }
}

/** Commits until its connection is closed. */
async function keepCommitting(sql: Sql): Promise<void> {
  try {
    for (;;) {
      await sql`select pg_logical_emit_message(true, 'floatdeck', '')`;
      await sleep(20);
    }
  } catch {
    // The connection is closed.
  }
}

function configure(rig: Rig, data: string, port: number): void {
  const { port: primaryPort, username, password } = new URL(rig.database.ownerUrl);
  appendFileSync(
    path.join(data, "postgresql.auto.conf"),
    [
      `port = ${port}`,
      `primary_conninfo = 'host=127.0.0.1 port=${primaryPort} user=${username} password=${password} application_name=standby'`,
      "primary_slot_name = 'standby'",
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
      "",
    ].join("\n"),
  );
  const { user } = rig.home;
  if (user) {
    chownSync(data, user.uid, user.gid);
    execFileSync("chown", ["-R", `${user.uid}:${user.gid}`, data]);
  }
  execFileSync("chmod", ["700", data]);
}

function launch({ home }: Rig, data: string): void {
  const log = openSync(`${data}.log`, "a");
  spawn(path.join(home.binaries, "bin", "postgres"), ["-D", data], {
    ...home.user,
    cwd: data,
    stdio: ["ignore", log, log],
  });
}

async function promote(ownerUrl: string): Promise<void> {
  const standby = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  try {
    // The new primary has no standby yet; Patroni removes the old one from this list too.
    await standby`alter system set synchronous_standby_names = ''`;
    await standby`select pg_promote()`;
    await until(standby, (sql) => sql`select where not pg_is_in_recovery()`);
  } finally {
    await standby.end();
  }
}

function stop({ home }: Rig, data: string): void {
  execFileSync(
    path.join(home.binaries, "bin", "pg_ctl"),
    ["-D", data, "-w", "-m", "immediate", "stop"],
    { ...home.user, cwd: data, stdio: "ignore" },
  );
  rmSync(data, { recursive: true, force: true });
}

async function until(
  sql: Sql,
  question: (sql: Sql) => PromiseLike<readonly unknown[]>,
): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while ((await question(sql)).length === 0) {
    if (Date.now() > deadline) {
      throw new Error("The standby did not come up.");
    }
    await sleep(20);
  }
}
