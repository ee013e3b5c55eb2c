import { readdirSync, readlinkSync } from "node:fs";

/** Every process that works below this directory, whoever started it. Linux only. */
export function processesIn(dir: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/u.test(name) && isBelow(dir, readWorkingDirectory(name)))
    .map(Number);
}

/** Sends a signal to all of them; one that has just ended is passed over. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended by itself.
    }
  }
}

function isBelow(dir: string, place: string): boolean {
  return place === dir || place.startsWith(`${dir}/`);
}

/** Empty for a process that has ended, or that is not ours. */
function readWorkingDirectory(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}
