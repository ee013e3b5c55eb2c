import { existsSync, readFileSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";
/** More than a whole run writes at a time. */
const ROOM_BYTES = 4 * 2 ** 30;

/**
 * Where a run keeps its temporary files: in memory where there is room for them. A database consists of a thousand files, and
 * a disk takes ten times as long to make and remove them. `TMPDIR` takes precedence.
 */
export function findTemporaryFolder(): string {
  return process.env["TMPDIR"] === undefined && hasRoomInMemory() ? MEMORY : tmpdir();
}

function hasRoomInMemory(): boolean {
  if (process.platform !== "linux" || !existsSync(MEMORY) || !allowsPrograms()) {
    return false;
  }
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory() / 2) >= ROOM_BYTES;
}

/** Containers often mount it so that nothing there can be run, and tests do run what they install. */
function allowsPrograms(): boolean {
  const mounts = readFileSync("/proc/mounts", "utf8").split("\n");
  const options = mounts.map((line) => line.split(" ")).find(([, at]) => at === MEMORY)?.[3] ?? "";
  return !options.split(",").includes("noexec");
}
