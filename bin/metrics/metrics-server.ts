import { createServer } from "node:http";
import type { RequestListener, Server, ServerResponse } from "node:http";
import type { Env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { databaseCode } from "#db/failures.ts";
import { timeLimit } from "#db/time-limits.ts";

const CONNECTIONS_MAX = 32;
const PATH = "/metrics";

/** The text of the metrics, up to date, and its content type. */
export interface Scraped {
  contentType: string;
  text: string;
}

/**
 * Serves the metrics on a port of their own, without credentials.
 * @throws Error with one sentence when the port is taken.
 */
export async function serveMetrics(
  place: NonNullable<Env["metrics"]>,
  scrape: () => Promise<Scraped>,
): Promise<{ port: number; stop(): Promise<void> }> {
  const server = createServer(
    { headersTimeout: timeLimit("metricsRequest"), requestTimeout: timeLimit("metricsRequest") },
    toListener(scrape),
  );
  server.maxConnections = CONNECTIONS_MAX;
  await listen(server, place);
  const address = server.address();
  return {
    port: address !== null && typeof address === "object" ? address.port : place.port,
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function toListener(scrape: () => Promise<Scraped>): RequestListener {
  return (request, response) => {
    if (request.url?.split("?", 1)[0] !== PATH) {
      response.writeHead(404).end(`The metrics are at ${PATH}.\n`);
      return;
    }
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
      return;
    }
    void respond(response, scrape);
  };
}

async function respond(response: ServerResponse, scrape: () => Promise<Scraped>): Promise<void> {
  try {
    const { contentType, text } = await scrape();
    response.writeHead(200, { "Content-Type": contentType, "Cache-Control": "no-store" });
    response.end(text);
  } catch (error) {
    log.error({ err: error }, "The metrics could not be collected.");
    response.writeHead(500).end();
  }
}

function listen(server: Server, { port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const reason = databaseCode(error) ?? error.message;
      const sentence = `Metrics cannot be served on ${host}:${port} (${reason}); correct METRICS_PORT or METRICS_HOST.`;
      reject(new Error(sentence, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}
