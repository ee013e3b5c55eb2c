import { log } from "#lib/base/log.ts";
import { readMoment } from "#lib/base/moment.ts";
import type { Db } from "#db/client.ts";

const PERIOD_MS = 10_000;

/** A larger skew is reported. */
const TOLERATED_MS = 2_000;

/** The last measurement, in milliseconds. */
let lastSkewMs = 0;

/** Compares this server's clock with the database's, now and every ten seconds. */
export function startClockWatch(db: Db): { stop(): void } {
  const check = () => {
    checkClock(db).catch((error: unknown) => {
      log.warn({ err: error }, "Could not compare this server's clock with the database's.");
    });
  };
  check();
  const timer = setInterval(check, PERIOD_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/**
 * Compares the clocks once, and logs when this server's clock leaves the tolerated range or returns to it.
 * Nothing recorded depends on it: ids and times come from the database.
 * @returns the milliseconds by which this server's clock is certainly ahead; negative when it is behind.
 */
export async function checkClock(db: Db): Promise<number> {
  const skewMs = await measureSkew(db);
  const wasOff = toClockWarning() !== null;
  lastSkewMs = skewMs;
  const warning = toClockWarning();
  if (warning !== null && !wasOff) {
    log.warn({ skewMs }, warning);
  } else if (warning === null && wasOff) {
    log.info({ skewMs }, "This server's clock agrees with the database's again.");
  }
  return skewMs;
}

/** The last measurement of the clock watch, in milliseconds; negative when this server's clock is behind. */
export function toLastSkewMs(): number {
  return lastSkewMs;
}

/** @returns the milliseconds by which this server's clock is certainly ahead; negative when it is behind. */
export async function measureSkew(db: Db): Promise<number> {
  const before = Date.now();
  const { at } = await readMoment(db);
  return toSkewMs(at.getTime(), { before, after: Date.now() });
}

/**
 * A sentence about this server's clock; null while it is within two seconds of the database's.
 * @param skewMs in milliseconds; the last measurement unless given.
 */
export function toClockWarning(skewMs = lastSkewMs): string | null {
  if (Math.abs(skewMs) <= TOLERATED_MS) {
    return null;
  }
  const seconds = (Math.abs(skewMs) / 1_000).toFixed(1);
  const direction = skewMs > 0 ? "ahead of" : "behind";
  return `This server's clock is ${seconds} s ${direction} the database's; synchronize it.`;
}

/**
 * The database answered at some time between `before` and `after`; only a difference beyond that interval is
 * certain.
 */
function toSkewMs(database: number, { before, after }: { before: number; after: number }): number {
  if (database < before) {
    return before - database;
  }
  return database > after ? after - database : 0;
}
