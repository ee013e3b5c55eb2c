import { Registry } from "@prometheus-io/client";
import { env } from "#lib/base/env.ts";
import type { Env } from "#lib/base/env.ts";
import { FIGURES_SETTINGS } from "#lib/operator/figures.ts";
import { openSeparatePool, readPoolLoads } from "#db/client.ts";
import {
  countBatches,
  countDeclines,
  countDroppedLines,
  countFullDisk,
  countRequests,
  countWebhookAttempts,
} from "./activity.ts";
import { showDatabase } from "./database-figures.ts";
import {
  showChores,
  showCommitQueues,
  showDisk,
  showPages,
  showPools,
  showProcess,
} from "./gauges.ts";
import type { PagesState } from "./gauges.ts";
import { serveMetrics } from "./metrics-server.ts";
import type { Scraped } from "./metrics-server.ts";

/** Metrics that are served. */
export interface RunningMetrics {
  port: number;
  stop(): Promise<void>;
}

/** The metrics of a process: their text, and how to stop counting. */
interface Collected {
  scrape(): Promise<Scraped>;
  stop(): Promise<void>;
}

/**
 * Serves a server's metrics, if METRICS_PORT is set.
 * @throws Error with one sentence when the port is taken.
 */
export function startServerMetrics(pages: PagesState, dataPlace: string | undefined) {
  return start(() => collectServer(pages, dataPlace));
}

/**
 * Serves a worker's metrics, if METRICS_PORT is set.
 * @throws Error with one sentence when the port is taken.
 */
export function startWorkerMetrics() {
  return start(collectWorker);
}

async function start(collectAll: () => Collected): Promise<RunningMetrics | undefined> {
  const { metrics: place } = env();
  return place && serve(place, collectAll());
}

async function serve(
  place: NonNullable<Env["metrics"]>,
  collected: Collected,
): Promise<RunningMetrics> {
  try {
    const served = await serveMetrics(place, () => collected.scrape());
    return {
      port: served.port,
      stop: async () => {
        await served.stop();
        await collected.stop();
      },
    };
  } catch (error) {
    await collected.stop();
    throw error;
  }
}

/**
 * The metrics of a server, including those of webhooks, which it may also send.
 * @param dataPlace where the embedded PostgreSQL keeps its data; undefined for an external one, whose disk is not ours.
 */
export function collectServer(pages: PagesState, dataPlace: string | undefined): Collected {
  const registry = new Registry();
  showProcess(registry, { process: "server", environment: env().environment });
  showPools(registry, readPoolLoads);
  showCommitQueues(registry);
  showChores(registry);
  showPages(registry, pages);
  if (dataPlace !== undefined) {
    showDisk(registry, dataPlace);
  }
  return withDatabase(registry, [
    countRequests(registry),
    countBatches(registry),
    countDeclines(registry),
    countWebhookAttempts(registry),
    countFullDisk(registry),
    countDroppedLines(registry),
  ]);
}

/** The metrics of a process that only sends webhooks. */
export function collectWorker(): Collected {
  const registry = new Registry();
  showProcess(registry, { process: "worker", environment: env().environment });
  showPools(registry, () => ({ main: readPoolLoads().main }));
  return withDatabase(registry, [
    countWebhookAttempts(registry),
    countFullDisk(registry),
    countDroppedLines(registry),
  ]);
}

/** Adds the database's figures. They have their own connection, so that a scrape never takes one from a payment. */
function withDatabase(registry: Registry, stops: readonly (() => void)[]): Collected {
  const pool = openSeparatePool({ max: 1, settings: FIGURES_SETTINGS });
  const refresh = showDatabase(registry, pool.db);
  return {
    scrape: async () => {
      await refresh();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
    stop: async () => {
      for (const stop of stops) {
        stop();
      }
      await pool.close();
    },
  };
}
