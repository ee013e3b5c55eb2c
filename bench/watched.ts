import { createServer } from "node:http";
import { findFreePort } from "#db/postmaster.ts";
import { createFixture } from "./fixture.ts";
import { driveHttp } from "./http-load.ts";
import type { Sample, Summary } from "./measure.ts";
import { toCreditOnce } from "./requests.ts";
import { vacuumAnalyze } from "#test/database/scaled-books.ts";
import { serveProduct, setStage } from "./stage.ts";
import type { Served } from "./stage.ts";
import { takeTurns } from "./turns.ts";
import type { Turns } from "./turns.ts";

/** What watching a server costs: the same load on three servers that differ in nothing else. */
export const UNWATCHED = "credit, unwatched";
export const WITH_METRICS = "credit, watched by metrics";
export const WITH_TRACES = "credit, watched by traces at 1 %";

const CLIENTS = 64;
const CARDS = 1_000;
/** More often than the guide asks for. */
const SCRAPE_PERIOD_MS = 1_000;
const SAMPLED = "0.01";

/** Takes turns with three servers on one database, of which one works at a time. */
export async function measureWatched(
  { caseMs }: { caseMs: number },
  turns: Turns,
): Promise<Record<string, Summary>> {
  const stage = await setStage();
  const collector = await startCollector();
  const servers: Served[] = [];
  const serve = async (name: string, environment: Readonly<Record<string, string>>) => {
    const served = await serveProduct(stage, name, environment);
    servers.push(served);
    return served;
  };
  const stopAll = () => Promise.all(servers.splice(0).map((served) => served.stop()));
  try {
    const metricsPort = await findFreePort();
    const unwatched = await serve("unwatched", {});
    const measured = await serve("metrics", { METRICS_PORT: String(metricsPort) });
    const traced = await serve("traces", {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: SAMPLED,
    });
    const fixture = await createFixture(stage, { cards: CARDS, transactionsPerCard: 1 });
    await vacuumAnalyze(stage.database);
    const load = (served: Served, durationMs: number) =>
      driveHttp(served, { clients: CLIENTS, durationMs }, () => toCreditOnce(fixture));
    const cases = [
      { name: UNWATCHED, run: (durationMs: number) => load(unwatched, durationMs) },
      {
        name: WITH_METRICS,
        run: (durationMs: number) => scraping(metricsPort, () => load(measured, durationMs)),
      },
      { name: WITH_TRACES, run: (durationMs: number) => load(traced, durationMs) },
    ];
    const summaries = await takeTurns(cases, caseMs, turns);
    // A server that stops exports what it still has.
    await stopAll();
    if (collector.count() === 0) {
      throw new Error("No traces were exported.");
    }
    return summaries;
  } finally {
    await stopAll();
    collector.stop();
    await stage.destroy();
  }
}

/** Scrapes the metrics while the work runs, at least once. @throws Error when a scrape fails. */
async function scraping(port: number, work: () => Promise<Sample>): Promise<Sample> {
  const scrape = async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`);
    if (!(await answer.text()).includes("floatdeck_requests_total")) {
      throw new Error("The metrics were not answered.");
    }
  };
  const scrapes = [scrape()];
  const timer = setInterval(() => scrapes.push(scrape()), SCRAPE_PERIOD_MS);
  const sample = await work().finally(() => clearInterval(timer));
  await Promise.all(scrapes);
  return sample;
}

/** Takes traces and forgets them. */
async function startCollector(): Promise<{ url: string; count(): number; stop(): void }> {
  let exported = 0;
  const server = createServer((request, response) => {
    exported += 1;
    request.resume();
    request.once("end", () => response.writeHead(200).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") {
    throw new Error("The collector has no port.");
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    count: () => exported,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
