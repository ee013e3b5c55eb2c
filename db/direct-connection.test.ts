import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { describe, expect, test } from "vitest";
import { requireDirectConnection } from "./direct-connection.ts";
import { findFreePort } from "./postmaster.ts";
import { testDatabase } from "./testing/database.ts";
import { startPooler } from "./testing/pooler.ts";
import type { Pooler } from "./testing/pooler.ts";

test("PostgreSQL itself is a direct connection", async () => {
  await expect(
    requireDirectConnection(testDatabase().url, "DATABASE_URL"),
  ).resolves.toBeUndefined();
});

test("two clients that share a session reveal a pooler, reported in one sentence", async () => {
  const pooler = await startPooler(testDatabase().url);
  await expect(requireDirectConnection(pooler.url, "DATABASE_URL")).rejects.toThrow(
    /^DATABASE_URL leads through a connection pooler in transaction mode, such as PgBouncer: /u,
  );
  await pooler.close();
});

const isInstalled = spawnSync("pgbouncer", ["--version"]).status === 0;

if (!isInstalled) {
  process.stdout.write("pgbouncer is not installed: the tests behind a real one are skipped.\n");
}

describe.skipIf(!isInstalled)("behind PgBouncer", () => {
  const ignored =
    "ignore_startup_parameters = statement_timeout,idle_in_transaction_session_timeout,default_transaction_isolation";

  test.each([
    ["transaction", ignored, /^DATABASE_URL leads through a connection pooler that drops/u],
    [
      "transaction",
      "",
      /^DATABASE_URL leads through a connection pooler, such as PgBouncer, that refuses/u,
    ],
    ["session", ignored, /^DATABASE_URL leads through a connection pooler that drops/u],
  ])(
    "in %s mode with %j the connection is refused in one sentence",
    async (mode, option, sentence) => {
      const pooler = await startPgBouncer([`pool_mode = ${mode}`, option]);
      await expect(requireDirectConnection(pooler.url, "DATABASE_URL")).rejects.toThrow(sentence);
      await pooler.close();
    },
  );

  test.each([
    ["transaction", 0],
    ["transaction", 1],
  ])(
    "in %s mode, with the limits on the role and round robin %i, the mode is the reason for the refusal",
    async (mode, robin) => {
      await withLimitsOnRole(async () => {
        const pooler = await startPgBouncer([
          `pool_mode = ${mode}`,
          ignored,
          `server_round_robin = ${robin}`,
        ]);
        await expect(requireDirectConnection(pooler.url, "DATABASE_URL")).rejects.toThrow(
          /in transaction mode/u,
        );
        await pooler.close();
      });
    },
  );

  test("in session mode, with the limits on the role, the connection counts as direct", async () => {
    await withLimitsOnRole(async () => {
      const pooler = await startPgBouncer(["pool_mode = session", ignored]);
      await expect(requireDirectConnection(pooler.url, "DATABASE_URL")).resolves.toBeUndefined();
      await pooler.close();
    });
  });
});

/** Sets them on the role in this file's database only, because other files share the role. */
async function withLimitsOnRole(work: () => Promise<void>): Promise<void> {
  const { ownerUrl, url, name } = testDatabase();
  const owner = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
  const role = new URL(url).username;
  await owner.unsafe(`alter role ${role} in database ${name} set statement_timeout = 4500`);
  await owner.end();
  try {
    await work();
  } finally {
    const again = postgres(ownerUrl, { max: 1, onnotice: () => undefined });
    await again.unsafe(`alter role ${role} in database ${name} reset statement_timeout`);
    await again.end();
  }
}

async function startPgBouncer(options: readonly string[]): Promise<Pooler> {
  const dir = mkdtempSync(path.join(tmpdir(), "floatdeck-pgbouncer-"));
  chmodSync(dir, 0o755);
  const url = new URL(testDatabase().url);
  const { port, username, password, pathname } = url;
  url.port = String(await findFreePort());
  writeFileSync(path.join(dir, "users.txt"), `"${username}" "${password}"\n`, { mode: 0o644 });
  writeFileSync(
    path.join(dir, "pgbouncer.ini"),
    [
      "[databases]",
      `${pathname.slice(1)} = host=127.0.0.1 port=${port}`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${url.port}`,
      "unix_socket_dir =",
      "auth_type = scram-sha-256",
      `auth_file = ${dir}/users.txt`,
      ...options,
      "",
    ].join("\n"),
    { mode: 0o644 },
  );
  // PgBouncer refuses to run as root.
  const as = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn("pgbouncer", [...as, `${dir}/pgbouncer.ini`], { stdio: "ignore" });
  await waitUntilListening(Number(url.port));
  return {
    url: url.href,
    close: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
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
