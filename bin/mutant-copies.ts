import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { isAlive } from "#db/process-state.ts";

const PREFIX = "floatdeck-mutants-";
const COPY = new RegExp(`^${PREFIX}(?<pid>\\d+)-`, "u");

/** Makes a folder for copies of the checkout, named after this process. */
export function makeCopies(folder: string): string {
  return mkdtempSync(path.join(folder, `${PREFIX}${process.pid}-`));
}

/** Removes the copies of runs that were killed. */
export function removeAbandonedCopies(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = COPY.exec(name)?.groups?.["pid"];
    if (pid !== undefined && !isAlive(Number(pid))) {
      rmSync(path.join(folder, name), { recursive: true, force: true });
    }
  }
}
