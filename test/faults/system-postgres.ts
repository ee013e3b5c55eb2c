import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, existsSync, globSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import { prepareHome } from "#db/embedded-home.ts";
import type { DatabaseHome } from "#db/embedded-home.ts";
import { launch, stopPostmaster } from "#db/postmaster.ts";

/** A cluster of the PostgreSQL that Debian packages, with roles and a database as docs/operations.md creates them. */
export interface SystemCluster {
  /** Owns the tables, and is no superuser. */
  ownerUrl: string;
  appUrl: string;
  /** The superuser's. */
  adminUrl: string;
  stop(): Promise<void>;
}

const SUPERUSER = "postgres";

const version = (home: string) => Number(path.basename(home));
const toUrl = (port: number, role: string, name: string) =>
  `postgres://${role}:secret@127.0.0.1:${port}/${name}`;
const toAdminUrl = (port: number) => toUrl(port, SUPERUSER, "postgres");

/** Where the newest installed version of Debian's PostgreSQL is; undefined when there is none. */
export function findSystemPostgres(): string | undefined {
  return globSync("/usr/lib/postgresql/*")
    .filter((home) => existsSync(path.join(home, "bin", "initdb")) && version(home) >= 15)
    .toSorted((a, b) => version(a) - version(b))
    .at(-1);
}

/** Creates and starts a cluster under `dir`. @param binaries as found by `findSystemPostgres`. @param config is added to its own. */
export async function startSystemCluster(
  binaries: string,
  dir: string,
  config = "",
): Promise<SystemCluster> {
  chmodSync(dir, 0o755);
  const home: DatabaseHome = { ...prepareHome(dir), binaries };
  initialize(home);
  appendFileSync(path.join(home.data, "postgresql.conf"), config);
  const { postmaster, port } = await launchSystem(home);
  const admin = postgres(toAdminUrl(port), { max: 1 });
  await admin`create role floatdeck_owner login password 'secret'`;
  await admin`create role floatdeck login password 'secret'`;
  await admin`create database floatdeck owner floatdeck_owner`;
  await admin.end();
  return {
    ownerUrl: toUrl(port, "floatdeck_owner", "floatdeck"),
    appUrl: toUrl(port, "floatdeck", "floatdeck"),
    adminUrl: toAdminUrl(port),
    stop: () => stopPostmaster(postmaster),
  };
}

/** Starts it on the files that are there. */
export async function launchSystem(home: DatabaseHome) {
  const postmaster = { home, settings: ["fsync=off"], toOwnerUrl: toAdminUrl };
  const port = await launch(postmaster);
  return { postmaster, port, adminUrl: toAdminUrl(port) };
}

function initialize({ binaries, data, user }: DatabaseHome): void {
  if (user) {
    execFileSync("chown", [`${user.uid}:${user.gid}`, data]);
  }
  execFileSync(
    path.join(binaries, "bin", "initdb"),
    [
      `--pgdata=${data}`,
      `--username=${SUPERUSER}`,
      "--auth=trust",
      "--encoding=UTF8",
      "--locale=C.UTF-8",
      "--no-sync",
    ],
    { ...user, cwd: path.dirname(data), stdio: "ignore" },
  );
}
