import { log } from "#lib/base/log.ts";
import { diskFilled } from "#db/disk-full.ts";

/** A disk that refused something counts as full for this long. Changes that need no new room succeed. */
const BELIEVED_MS = 60_000;

const WARNING =
  "The database's disk is full (53100): changes are refused, and reads go on. Free or add space.";

/** When the disk last refused something, by the process's own clock. */
let filledAt: number | undefined;

/** Logs when the database's disk turns out to be full, and remembers it. */
export function startDiskWatch(): { stop(): void } {
  const stop = diskFilled.observe(() => {
    if (toDiskWarning() === null) {
      log.warn(WARNING);
    }
    filledAt = performance.now();
  });
  return { stop };
}

/** A sentence about the database's disk; null unless it was full within the last minute. */
export function toDiskWarning(): string | null {
  const isFull = filledAt !== undefined && performance.now() - filledAt < BELIEVED_MS;
  return isFull ? WARNING : null;
}
