import { setTimeout as sleep } from "node:timers/promises";
import { log } from "#lib/base/log.ts";
import type { EmbeddedDatabase } from "#db/embedded.ts";

const CHECK_MS = 500;
const RESTARTS_MAX = 5;
const WINDOW_MS = 10 * 60_000;
const BACKOFF_MS = 500;

/**
 * Starts the embedded PostgreSQL again whenever it is gone, at most five times within ten minutes, each a while later
 * than the one before. Requests meanwhile are answered 503.
 * @param giveUp called once, with one sentence, when that was not enough.
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
      if (database.isRunning()) {
        continue;
      }
      restarts = restarts.filter((at) => performance.now() - at < WINDOW_MS);
      if (restarts.length >= RESTARTS_MAX) {
        const minutes = WINDOW_MS / 60_000;
        giveUp(
          new Error(
            `The embedded PostgreSQL ended again after ${RESTARTS_MAX} restarts within ${minutes} minutes; ${database.logFile} says why.`,
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

async function restart(
  database: Pick<EmbeddedDatabase, "restart">,
  attempt: number,
): Promise<void> {
  log.error({ attempt }, "The embedded PostgreSQL ended; it is started again.");
  try {
    await database.restart();
    log.info({ attempt }, "The embedded PostgreSQL runs again.");
  } catch (error) {
    log.error({ err: error, attempt }, "The embedded PostgreSQL could not be started again.");
  }
}
