import { readFileSync, readlinkSync } from "node:fs";

/** Whether a process runs; one that has ended but was not reaped does not. */
export function isAlive(pid: number): boolean {
  return hasEntry(pid) && !isZombie(pid);
}

/** Whether the operating system knows a process, ended or not. */
export function hasEntry(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Whether a process has ended but was not reaped by its parent. */
function isZombie(pid: number): boolean {
  try {
    // The state follows the name, which is in parentheses and may contain anything.
    return /\) Z [^)]*$/u.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** The working directory of a process. Undefined when the operating system does not report it. */
export function workingDirectory(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}
