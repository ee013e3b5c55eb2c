import { setTimeout as sleep } from "node:timers/promises";
import { log } from "#lib/base/log.ts";
import type { EmbeddedDatabase } from "#db/embedded.ts";

const CHECK_MS = 500;
const RESTARTS_MAX = 5;
const WINDOW_MS = 10 * 60_000;
const BACKOFF_MS = 500;

/**
 * Restarts the embedded PostgreSQL whenever it ends, at most five times within ten minutes, with a growing
 * delay. Requests are answered 503 in the meantime.
 * @param giveUp called once, with one sentence, when the restarts were not enough.
 */
export function watchEmbedded(
  database: Pick<EmbeddedDatabase, "isRunning" | "restart" | "logFile">,
  giveUp: (error: Error) => void,
): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const { signal } = stopped;
  const watch = async () => {
    let restarts: number[] = [];
    for (;;) {
      await sleep(CHECK_MS, undefined, { signal, ref: false });
      if (looksRunning(database)) {
        continue;
      }
      restarts = restarts.filter((at) => performance.now() - at < WINDOW_MS);
      if (restarts.length >= RESTARTS_MAX) {
        const minutes = WINDOW_MS / 60_000;
        giveUp(
          new Error(
            `The embedded PostgreSQL ended again after ${RESTARTS_MAX} restarts within ${minutes} minutes; see ${database.logFile} for the reason.`,
          ),
        );
        return;
      }
      await sleep(restarts.length === 0 ? 0 : BACKOFF_MS * 2 ** restarts.length, undefined, {
        signal,
      });
      restarts.push(performance.now());
      await restart(database, restarts.length);
    }
  };
  const ended = watch().catch((error: unknown) => {
    if (!signal.aborted) {
      giveUp(error instanceof Error ? error : new Error(String(error)));
    }
  });
  return {
    stop: async () => {
      stopped.abort();
      await ended;
    },
  };
}

/** A check that throws, such as when the process has too many open files, says nothing about PostgreSQL. */
function looksRunning(database: Pick<EmbeddedDatabase, "isRunning">): boolean {
  try {
    return database.isRunning();
  } catch (error) {
    log.warn({ err: error }, "Could not check whether the embedded PostgreSQL is running.");
    return true;
  }
}

async function restart(
  database: Pick<EmbeddedDatabase, "restart">,
  attempt: number,
): Promise<void> {
  log.error({ attempt }, "The embedded PostgreSQL ended; restarting it.");
  try {
    await database.restart();
    log.info({ attempt }, "The embedded PostgreSQL is running again.");
  } catch (error) {
    log.error({ err: error, attempt }, "Could not restart the embedded PostgreSQL.");
  }
}
