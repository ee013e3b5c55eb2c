import { completeMoves } from "#lib/clock/clock-move.ts";
import { completeErasures } from "#lib/cards/erasure-sweep.ts";
import { log } from "#lib/base/log.ts";
import { expireHolds } from "#lib/purchases/hold-expiry.ts";
import type { Db } from "#db/client.ts";

const PERIOD_MS = 10_000;

/** Processes what is due, every ten seconds. Any number of processes may run it. */
export function startDeadlineSweep(db: Db): { stop(): void } {
  let running = false;
  const timer = setInterval(() => {
    if (running) {
      return;
    }
    running = true;
    sweepDeadlines(db)
      .catch((error: unknown) => {
        log.error({ err: error }, "Deadlines that have passed could not be worked off.");
      })
      .finally(() => {
        running = false;
      });
  }, PERIOD_MS);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Completes clock moves that other processes began, releases expired holds, and goes on with erasures. */
export async function sweepDeadlines(db: Db): Promise<void> {
  await completeMoves(db);
  await expireHolds(db);
  await completeErasures(db);
}
