import { setTimeout as sleep } from "node:timers/promises";
import { waitForRoom } from "./own-database.ts";
import { databaseCode, DatabaseFailure, isAbsent } from "#db/failures.ts";
import { timeLimit } from "#db/time-limits.ts";

const PAUSE_MS = 1_000;
const REPORT_MS = 30_000;

/**
 * Runs a step of a start that needs the database, and runs it again for up to five minutes while nothing answers there or
 * PostgreSQL is starting: after a power failure, or because it died meanwhile. Like `waitForRoom`, it also waits for a
 * free connection.
 * @param step can run more than once.
 * @throws the error of the step: any other failure at once.
 */
export async function waitForDatabase<T>(
  say: (text: string) => void,
  step: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  let reportAt = 0;
  for (;;) {
    try {
      return await waitForRoom(say, step);
    } catch (error) {
      const code = findAbsence(error);
      const waited = performance.now() - started;
      if (code === null || waited >= timeLimit("databaseAtStart")) {
        throw error;
      }
      if (waited >= reportAt) {
        const left = Math.round((timeLimit("databaseAtStart") - waited) / 1_000);
        say(`The database does not answer (${code}); waiting at most ${left} s for it …`);
        reportAt += REPORT_MS;
      }
    }
    await sleep(PAUSE_MS);
  }
}

/** The code of the failure to reach the database. Null for any other failure. */
function findAbsence(error: unknown): string | null {
  if (error instanceof DatabaseFailure && error.cause === undefined) {
    // One of our own time limits was exceeded.
    return error.code;
  }
  const cause = error instanceof DatabaseFailure ? error.cause : error;
  return isAbsent(cause) ? (databaseCode(cause) ?? null) : null;
}
