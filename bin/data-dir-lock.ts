import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { identify } from "#db/data-owner.ts";
import { databaseCode } from "#db/failures.ts";

/**
 * Takes a data directory for this server: a second one would stop the database under the first.
 * @returns what gives it back.
 * @throws Error in one sentence when another server has it, or it cannot be written to.
 */
export function lockDataDir(dataDir: string): () => void {
  const file = path.join(dataDir, "server.pid");
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    const holder = findHolder(file, identify(dataDir));
    if (holder !== undefined) {
      throw new Error(
        `Floatdeck is running already with ${dataDir} (process ${holder}); stop it, or set DATA_DIR.`,
      );
    }
    writeFileSync(file, `${process.pid} ${identify(dataDir)}`);
  } catch (error) {
    const code = databaseCode(error);
    if (code) {
      throw new Error(
        `The data directory ${dataDir} cannot be written to (${code}); set DATA_DIR to one that can.`,
        { cause: error },
      );
    }
    throw error;
  }
  return () => rmSync(file, { force: true });
}

/** The file names the directory too: in a copy it speaks of the original, whose server does not matter here. */
function findHolder(file: string, identity: string): number | undefined {
  if (!existsSync(file)) {
    return undefined;
  }
  const [pid = "0", of] = readFileSync(file, "utf8").split(" ");
  const holder = Number(pid);
  const isHeld = holder > 0 && holder !== process.pid && isServer(holder);
  return isHeld && (of === undefined || of === identity) ? holder : undefined;
}

/** A process id may have been given to another program since; where the system tells, the program is looked at. */
function isServer(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const commandLine = `/proc/${pid}/cmdline`;
  return !existsSync(commandLine) || readFileSync(commandLine, "utf8").includes("bin/start.ts");
}
