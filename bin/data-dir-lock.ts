import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { identify } from "#db/data-owner.ts";
import { databaseCode } from "#db/failures.ts";

/** Matches the command line of a server, run from its bundle or its source, as the operating system reports it. */
const SERVER = /\b(?:bin|dist)\/start\.[jt]s\b/u;

/**
 * Locks a data directory for this server, because a second server would stop the database under the first.
 * @returns the function that unlocks it.
 * @throws Error with one sentence when another server holds it, or it is not writable.
 */
export function lockDataDir(dataDir: string): () => void {
  const file = path.join(dataDir, "server.pid");
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    const holder = findHolder(file, identify(dataDir));
    if (holder !== undefined) {
      throw new Error(
        `Floatdeck is already running with ${dataDir} (process ${holder}); stop it, or set DATA_DIR.`,
      );
    }
    writeFileSync(file, `${process.pid} ${identify(dataDir)}`);
  } catch (error) {
    const code = databaseCode(error);
    if (code) {
      throw new Error(
        `The data directory ${dataDir} is not writable (${code}); set DATA_DIR to a writable one.`,
        { cause: error },
      );
    }
    throw error;
  }
  return () => rmSync(file, { force: true });
}

/**
 * The file also names the directory: in a copy it refers to the original, whose server does not matter here.
 */
function findHolder(file: string, identity: string): number | undefined {
  if (!existsSync(file)) {
    return undefined;
  }
  const [pid = "0", of] = readFileSync(file, "utf8").split(" ");
  const holder = Number(pid);
  const isHeld = holder > 0 && holder !== process.pid && isServer(holder);
  return isHeld && (of === undefined || of === identity) ? holder : undefined;
}

/** The process id may have been reused, so check the program where the operating system reports it. */
function isServer(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const commandLine = `/proc/${pid}/cmdline`;
  return !existsSync(commandLine) || SERVER.test(readFileSync(commandLine, "utf8"));
}
