import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "./own-database.ts";
import { databaseCode, isAbsent } from "#db/failures.ts";
import { timeLimit } from "#db/time-limits.ts";

const PAUSE_MS = 1_000;
const REPORT_MS = 30_000;

/**
 * Waits up to five minutes while nothing answers at the URL or PostgreSQL is still starting, as after a power failure.
 * Any other failure ends the wait; the next connection reports it.
 */
export async function waitForDatabase(url: string, say: (text: string) => void): Promise<void> {
  const started = performance.now();
  let reportAt = 0;
  for (;;) {
    const code = await findAbsence(url);
    const waited = performance.now() - started;
    if (code === null || waited >= timeLimit("databaseAtStart")) {
      return;
    }
    if (waited >= reportAt) {
      const left = Math.round((timeLimit("databaseAtStart") - waited) / 1_000);
      say(`The database does not answer (${code}); waiting at most ${left} s for it …`);
      reportAt += REPORT_MS;
    }
    await sleep(PAUSE_MS);
  }
}

/** The code of the failure to reach the database. Null when something answers. */
async function findAbsence(url: string): Promise<string | null> {
  try {
    await withClient(url, (client) => client`select`);
    return null;
  } catch (error) {
    return isAbsent(error) ? (databaseCode(error) ?? null) : null;
  }
}
