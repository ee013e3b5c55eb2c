import { existsSync } from "node:fs";
import path from "node:path";
import { startWorkerMetrics } from "./metrics/metrics.ts";
import { setSecret } from "./secret.ts";
import { startTraces } from "./traces/traces.ts";
import { waitForDatabase } from "./wait-for-database.ts";
import { readEnv } from "#lib/base/env.ts";
import type { Env } from "#lib/base/env.ts";
import { STOP_SIGNALS } from "#lib/base/lifecycle.ts";
import { log, logStart } from "#lib/base/log.ts";
import { startDiskWatch } from "#lib/operator/disk-watch.ts";
import { requireSameInstallation } from "#lib/operator/installation.ts";
import { joinInstallation } from "#lib/operator/processes.ts";
import { startMailer } from "#lib/messages/mailer.ts";
import { endpointPolicy } from "#lib/webhooks/endpoint-url.ts";
import { startWorker, WORKER_CONNECTIONS } from "#lib/webhooks/worker.ts";
import { requireUsableConnection } from "#db/direct-connection.ts";
import { startEmbedded } from "#db/embedded.ts";
import { closeDatabase, configureDatabase, database } from "#db/client.ts";
import { ROOT } from "#db/root.ts";

process.chdir(ROOT);
process.on("uncaughtException", (error) => {
  log.error({ err: error }, "The worker failed unexpectedly.");
  process.exit(1);
});

try {
  await work();
} catch (error) {
  process.stderr.write(`floatdeck: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
// What is still being sent to a collector of traces that hangs must not keep the process.
process.exit();

/** Sends notifications and messages alongside any number of servers and other workers, until it is signaled to stop. */
async function work(): Promise<void> {
  const settings = readEnv(process.env);
  logStart();
  const url = await waitForDatabase(say, () => locateDatabase(settings));
  setSecret(settings);
  configureDatabase(url, { max: WORKER_CONNECTIONS });
  try {
    const kept = await waitForDatabase(say, () => requireSameInstallation(database(), settings));
    const joined = await waitForDatabase(say, () => joinInstallation(database(), "worker"));
    const publicUrl = settings.given.publicUrl ?? kept.publicUrl ?? settings.publicUrl;
    const traces = await startTraces("worker", settings);
    const metrics = await startWorkerMetrics();
    startDiskWatch();
    const own = { ...settings, publicUrl };
    const worker = startWorker(database(), endpointPolicy(own));
    const mailer = startMailer(database(), own);
    say("Sending notifications.");
    await new Promise<void>((resolve) => {
      for (const signal of STOP_SIGNALS) {
        process.once(signal, resolve);
      }
    });
    await Promise.all([worker.stop(), mailer.stop()]);
    await Promise.all([metrics?.stop(), traces?.stop()]);
    await joined.leave();
  } finally {
    await closeDatabase();
  }
}

function say(text: string): void {
  process.stdout.write(`floatdeck: ${text}\n`);
}

async function locateDatabase({ databaseUrl, dataDir }: Env): Promise<string> {
  if (!databaseUrl) {
    return findEmbedded(dataDir);
  }
  await requireUsableConnection(databaseUrl, "DATABASE_URL");
  return databaseUrl;
}

/** The server starts and stops the embedded database; a worker only connects to it. */
async function findEmbedded(dataDir: string): Promise<string> {
  if (existsSync(path.join(dataDir, "database.json"))) {
    const embedded = await startEmbedded(dataDir);
    if (!embedded.started) {
      return embedded.localUrl;
    }
    await embedded.stop();
  }
  throw new Error(
    "The embedded PostgreSQL runs with the server: start the server first, or set DATABASE_URL.",
  );
}
