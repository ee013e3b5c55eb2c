import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { canShiftDatabase } from "./database-clock.ts";
import type { PausableWorkload } from "./pausable-workload.ts";
import { MONTH_DAYS, findExpired, readSizes } from "./growth.ts";
import type { Growth } from "./growth.ts";

/** In a run that is long enough, the database's clock is set a month ahead this often, so that what was written expires. */
const MONTHS = 6;
/** Rows are removed once a minute, so that shorter months would overlap. */
const MONTH_MIN_MS = 120_000;
/** Servers remove expired rows once a minute, and everything that has expired by then. */
const REMOVED_MS = 180_000;
const SLOW_POLL_MS = 5_000;

/** How long a month of such a run takes; null when none passes. */
export function toMonthMs(durationMs: number): number | null {
  const monthMs = durationMs / MONTHS;
  return canShiftDatabase() && monthMs >= MONTH_MIN_MS ? monthMs : null;
}

/**
 * Lets a month pass: everyone rests, and no notification is on its way, because nobody waits a month for an answer. Then the
 * database restarts with its clock ahead, and everyone goes on. What has expired is removed beside them.
 */
export async function passMonth(
  cluster: Cluster,
  {
    workload,
    growth,
    requests,
    settle,
  }: { workload: PausableWorkload; growth: Growth; requests: number; settle: () => Promise<void> },
): Promise<void> {
  await workload.pause();
  await settle();
  const earlier = growth.full.reduce((sum, month) => sum + month.requests, 0);
  growth.full.push({
    sizes: await readSizes(cluster.ownerUrl),
    requests: requests - earlier,
  });
  growth.leftOver.push(...(await findExpired(cluster.ownerUrl)));
  cluster.setDatabaseAhead(growth.full.length * MONTH_DAYS);
  await cluster.ready();
  workload.resume();
}

/** Waits until the rows of the last month are removed. */
export async function waitUntilRemoved({ ownerUrl }: Cluster): Promise<string[]> {
  const deadline = performance.now() + REMOVED_MS;
  for (;;) {
    const expired = await findExpired(ownerUrl);
    if (expired.length === 0 || performance.now() > deadline) {
      return expired;
    }
    await sleep(SLOW_POLL_MS);
  }
}
