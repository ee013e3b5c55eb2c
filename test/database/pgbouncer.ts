import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { serverLimits } from "#db/client.ts";
import { findFreePort } from "#db/postmaster.ts";
import { readBlocks } from "#test/scene/guide-blocks.ts";

/** An installed PgBouncer. */
export interface PgBouncer {
  command: string;
  /** Whether it prepares a client's statements again on each session, as it does from 1.21 on. */
  keepsStatements: boolean;
}

/** A running PgBouncer in front of all databases of a PostgreSQL server, on loopback. */
export interface RunningPgBouncer {
  port: number;
  /** The URL that leads through it to the same database. */
  through(directUrl: string): string;
  /** Ends it, and with it all connections of its clients. */
  kill(): Promise<void>;
  /** Starts it again at the same port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The PgBouncer at the path that PGBOUNCER names, or else the installed one; undefined when there is none. */
export function findPgBouncer(
  command = process.env["PGBOUNCER"] ?? "pgbouncer",
): PgBouncer | undefined {
  const { stdout, status } = spawnSync(command, ["--version"], { encoding: "utf8" });
  if (status !== 0) {
    return undefined;
  }
  const [, major, minor] = /^PgBouncer (\d+)\.(\d+)/u.exec(stdout) ?? [];
  return { command, keepsStatements: Number(major) > 1 || Number(minor) >= 21 };
}

/** The settings that docs/operations.md gives. */
export const GUIDE_SETTINGS: readonly string[] =
  readBlocks("operations.md")
    .find(({ language }) => language === "ini")
    ?.text.split("[pgbouncer]\n")[1]
    ?.trim()
    .split("\n")
    .filter((line) => !/^(?:listen|auth)_/u.test(line)) ?? [];

/**
 * Starts PgBouncer.
 * @param directUrl names the PostgreSQL server, and the role that clients use.
 */
export async function startPgBouncer(
  { command }: PgBouncer,
  directUrl: string,
  settings: readonly string[] = GUIDE_SETTINGS,
): Promise<RunningPgBouncer> {
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-pgbouncer-"));
  chmodSync(dir, 0o755);
  const { port, username, password } = new URL(directUrl);
  const own = await findFreePort();
  writeFileSync(path.join(dir, "users.txt"), `"${username}" "${password}"\n`, { mode: 0o644 });
  const lines = [
    "[databases]",
    `* = host=127.0.0.1 port=${port}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${own}`,
    "unix_socket_dir =",
    "auth_type = scram-sha-256",
    `auth_file = ${dir}/users.txt`,
    ...settings,
    "",
  ];
  writeFileSync(path.join(dir, "pgbouncer.ini"), lines.join("\n"), { mode: 0o644 });
  let child = spawnIn(command, dir);
  await waitUntilListening(own);
  const running: RunningPgBouncer = {
    port: own,
    through: (url) => {
      const changed = new URL(url);
      changed.port = String(own);
      return changed.href;
    },
    kill: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
    },
    start: async () => {
      child = spawnIn(command, dir);
      await waitUntilListening(own);
    },
    stop: async () => {
      await (child.exitCode === null && child.signalCode === null ? running.kill() : undefined);
      rmSync(dir, { recursive: true, force: true });
    },
  };
  return running;
}

function spawnIn(command: string, dir: string) {
  // PgBouncer refuses to run as root.
  const as = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  return spawn(command, [...as, `${dir}/pgbouncer.ini`], { stdio: "ignore" });
}

/**
 * Sets the limits on the role that the URL names, as docs/operations.md says, for new sessions in all databases or in one.
 */
export async function setRoleLimits(directUrl: string, database?: string): Promise<void> {
  const role = postgres(directUrl, { max: 1, onnotice: () => undefined });
  const where = database ? `in database "${database}"` : "";
  for (const name of ["statement_timeout", "idle_in_transaction_session_timeout"] as const) {
    await role.unsafe(`alter role current_user ${where} set ${name} = ${serverLimits()[name]}`);
  }
  await role.end();
}

async function waitUntilListening(port: number): Promise<void> {
  for (;;) {
    const listens = await new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
    if (listens) {
      return;
    }
    await sleep(50);
  }
}
