import { completeMoves } from "#lib/clock/clock-move.ts";
import { endFreezes } from "#lib/clock/internal/freeze-ends.ts";
import { completeErasures } from "#lib/cards/erasure-sweep.ts";
import { log } from "#lib/base/log.ts";
import { expireHolds } from "#lib/purchases/hold-expiry.ts";
import type { Db } from "#db/client.ts";

const PERIOD_MS = 10_000;

/** Lists show a card as frozen until its freeze is lifted, which nobody else may do for hours. */
const FREEZES_PERIOD_MS = 1_000;

/** Processes what is due, every ten seconds, and freezes every second. Any number of processes may run it. */
export function startDeadlineSweep(db: Db): { stop(): void } {
  const timers = [
    repeat(PERIOD_MS, () => sweepDeadlines(db)),
    repeat(FREEZES_PERIOD_MS, () => endFreezes(db)),
  ];
  return { stop: () => timers.forEach((timer) => clearInterval(timer)) };
}

/** Does the work every time, except while it is still being done. */
function repeat(periodMs: number, work: () => Promise<void>): NodeJS.Timeout {
  let running = false;
  const timer = setInterval(() => {
    if (running) {
      return;
    }
    running = true;
    work()
      .catch((error: unknown) => {
        log.error({ err: error }, "Deadlines that have passed could not be worked off.");
      })
      .finally(() => {
        running = false;
      });
  }, periodMs);
  return timer.unref();
}

/** Completes clock moves that other processes began, releases what has expired, and goes on with erasures. */
export async function sweepDeadlines(db: Db): Promise<void> {
  await completeMoves(db);
  await endFreezes(db);
  await expireHolds(db);
  await completeErasures(db);
}
