import type { Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { closePort } from "./close-port.ts";
import { createApiListener } from "./edge/api-listener.ts";
import { readConnectionsMax } from "./edge/connection-limit.ts";
import { createForward } from "./edge/forward.ts";
import { createInboxListener } from "./edge/inbox.ts";
import type { Mode } from "./edge/page-headers.ts";
import { createEdge } from "./edge/server.ts";
import { forwardUpgrade } from "./edge/upgrade.ts";
import { startServerMetrics } from "./metrics/metrics.ts";
import type { RunningMetrics } from "./metrics/metrics.ts";
import { PagesProcess } from "./pages-process.ts";
import { startTraces } from "./traces/traces.ts";
import { ROUTES } from "#app/api/routes.ts";
import { startApiLog, stopApiLog } from "#lib/api/edge/api-log.ts";
import { createApi } from "#lib/api/router.ts";
import { startClockWatch } from "#lib/operator/clock-skew.ts";
import { startDiskWatch } from "#lib/operator/disk-watch.ts";
import { startCredentialWatch } from "#lib/auth/credential-watch.ts";
import { env } from "#lib/base/env.ts";
import { startBulkRunner } from "#lib/bulk/bulk-runner.ts";
import { startDeadlineSweep } from "#lib/clock/deadline-sweep.ts";
import { startBooksMonitor } from "#lib/ledger/monitor.ts";
import { TELL_OF_BOOKS } from "#lib/messages/tell-of-suspension.ts";
import { beginClosing, beginStopping } from "#lib/base/lifecycle.ts";
import { ROLLUP_NAME, startRollup } from "#lib/overview/rollup.ts";
import { startRetention } from "#lib/operator/retention.ts";
import { startMailer } from "#lib/messages/mailer.ts";
import { endpointPolicy } from "#lib/webhooks/endpoint-url.ts";
import { startWorker, WORKER_CONNECTIONS } from "#lib/webhooks/worker.ts";
import type { RunningWorker } from "#lib/webhooks/worker.ts";
import { database, openSeparatePool } from "#db/client.ts";
import { timeLimit } from "#db/time-limits.ts";

/** A server that accepts requests. */
export interface RunningServer {
  /** Starts the process that serves pages; until then they answer 503. Resolves once pages are answered too. */
  startPages(): Promise<void>;
  /**
   * Fails readiness and still answers for `DRAIN_SECONDS`. Then stops accepting requests and lets those in flight end, for
   * at most the time limit `serverDrain`.
   */
  stop(): Promise<void>;
}

/** How long a client that is about to reuse its connection is still answered, with a request to close it. */
const LINGER_MS = 1_000;
const SWEEP_MS = 100;

/** Inboxes have their own connections, so that they never take one from a payment. */
const INBOX_CONNECTIONS = 2;

/**
 * Serves the API from its route modules in this process, and everything else through a separate process, on one port.
 * Resolves once the API answers: payments do not wait for pages, which are started afterward.
 */
export async function startServer({
  mode,
  databaseUrl,
  dataPlace,
}: {
  mode: Mode;
  databaseUrl: string;
  /** Where the embedded PostgreSQL keeps its data; undefined when another one is used. */
  dataPlace: string | undefined;
}): Promise<RunningServer> {
  const { host, port } = env();
  const api = createApi(ROUTES);
  const pages = new PagesProcess({ mode, databaseUrl });
  const inboxes = openSeparatePool({ max: INBOX_CONNECTIONS, settings: {} });
  const server = createEdge({
    toApi: createApiListener(api),
    toPages: createForward(pages, mode),
    toInbox: createInboxListener(inboxes.db),
    hotReload: mode === "dev",
    connectionsMax: readConnectionsMax(),
  });
  if (mode === "dev") {
    server.on("upgrade", (request, socket, head) =>
      forwardUpgrade(request, { socket, head }, pages.socketPath),
    );
  }
  const traces = await startTraces("server", env());
  let metrics: RunningMetrics | undefined;
  try {
    metrics = await startServerMetrics(pages, dataPlace);
    await listen(server, { host, port });
  } catch (error) {
    await metrics?.stop();
    await pages.stop();
    await traces?.stop();
    throw error;
  }
  startApiLog();
  const chores = [
    startBooksMonitor(database(), TELL_OF_BOOKS),
    startRetention(database()),
    startDeadlineSweep(database()),
    startBulkRunner(database()),
    startClockWatch(database()),
    startDiskWatch(),
  ];
  const credentials = startCredentialWatch(env().databaseListenUrl ?? databaseUrl);
  const rollup = startOwnRollup();
  const worker = env().worker ? startOwnWorker() : undefined;
  return {
    startPages: () => pages.start(),
    stop: async () => {
      beginStopping();
      for (const chore of chores) {
        chore.stop();
      }
      await Promise.all([close(server), worker?.stop(), rollup.stop()]);
      await Promise.all([stopApiLog(), inboxes.close(), credentials.stop()]);
      await pages.stop();
      await Promise.all([metrics?.stop(), traces?.stop()]);
    },
  };
}

/** The sender of webhooks and mail has its own connections, so that it and requests never wait for each other. */
function startOwnWorker(): RunningWorker {
  const pool = openSeparatePool({ max: WORKER_CONNECTIONS, settings: {} });
  const worker = startWorker(pool.db, endpointPolicy());
  const mailer = startMailer(pool.db, env());
  return {
    stop: async () => {
      await Promise.all([worker.stop(), mailer.stop()]);
      await pool.close();
    },
  };
}

/** The rollup has its own connection, so that it never takes one from a payment. */
function startOwnRollup(): { stop(): Promise<void> } {
  const pool = openSeparatePool({ max: 1, settings: { application_name: ROLLUP_NAME } });
  const rollup = startRollup(pool.db);
  return {
    stop: async () => {
      rollup.stop();
      await pool.close();
    },
  };
}

function listen(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

async function close(server: Server): Promise<void> {
  await sleep(env().drainSeconds * 1_000);
  beginClosing();
  await sleep(LINGER_MS);
  const closed = await closePort(server);
  server.closeIdleConnections();
  // Node keeps the connection of a request that began before its client could be asked to close it.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS);
  const gaveUp = sleep(timeLimit("serverDrain"), undefined, { ref: false }).then(() =>
    server.closeAllConnections(),
  );
  await Promise.race([closed.all, gaveUp]);
  clearInterval(sweep);
}
