import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage } from "node:http";
import path from "node:path";
import next from "next";
import { isApi } from "./edge/target.ts";
import { PageResponse } from "./page-response.ts";
import { PageTurns } from "./page-turns.ts";
import { BUSY, pagesSettingsSchema, PING } from "./pages-settings.ts";
import type { PagesSettings, PagesUsage } from "./pages-settings.ts";
import { lowerPriority } from "./pages-yield.ts";
import { env } from "#lib/base/env.ts";
import { STOP_SIGNALS } from "#lib/base/lifecycle.ts";
import { log, logStart } from "#lib/base/log.ts";
import { servePage } from "#lib/base/page-request.ts";
import { startDiskWatch } from "#lib/operator/disk-watch.ts";
import { configureDatabase } from "#db/client.ts";

/**
 * The process that serves only pages and sign-in. Its parent (`pages-process.ts`) starts it, forwards
 * requests to its socket, and ends it; the parent also limits requests and connections.
 */

/** Scripts and styles cost almost nothing, and a page requests many of them. */
const STATIC_FILES = "/_next/static/";
/** Signing in and out does not wait for pages. */
const SIGN_IN = "/api/auth/";

/** Sign-in writes little, and pages run a handful of reads at a time; the API has its own pools. */
const CONNECTIONS = 2;
const READ_CONNECTIONS = 4;

/**
 * A signal often reaches the whole process group, but only the parent knows when the last page has been
 * answered.
 */
for (const signal of STOP_SIGNALS) {
  process.on(signal, () => undefined);
}
process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);

process.once("message", (message) => void start(pagesSettingsSchema.parse(message)));

async function start(settings: PagesSettings): Promise<void> {
  logStart();
  startDiskWatch();
  // However the parent ends, this process ends with it and removes its socket.
  process.once("disconnect", () => {
    rmSync(path.dirname(settings.socketPath), { recursive: true, force: true });
    process.exit(0);
  });
  if (settings.mode === "production") {
    lowerPriority();
  }
  configureDatabase(settings.databaseUrl, {
    max: CONNECTIONS,
    readsMax: READ_CONNECTIONS,
    readStatement: "pageStatement",
  });
  const { host, port } = env();
  const pages = next({ dev: settings.mode === "dev", hostname: host, port, quiet: true });
  await pages.prepare();
  const toPages = pages.getRequestHandler();
  const turns = new PageTurns();
  const answer = async (request: IncomingMessage, response: PageResponse, target: string) => {
    if (!target.startsWith(STATIC_FILES)) {
      const client = String(request.headers["x-forwarded-for"]);
      const abandonment = new AbortController();
      response.once("close", () => abandonment.abort());
      const { signal } = abandonment;
      const isSignIn = target.startsWith(SIGN_IN);
      const endTurn = await (isSignIn
        ? turns.takeAhead(client, signal)
        : turns.take(client, signal));
      if (response.destroyed) {
        endTurn();
        return;
      }
      response.holdUntilComplete(endTurn);
    }
    servePage({ request, response }, () => void toPages(request, response));
  };
  const listener = (request: IncomingMessage, response: PageResponse) => {
    const [target = "/"] = (request.url ?? "/").split("?", 1);
    // Next.js has a copy of the API's routes and must not answer requests for them.
    if (isApi(target)) {
      response.writeHead(404).end();
      return;
    }
    void answer(request, response, target);
  };
  // Only the parent closes connections: one closed here could cross a request in flight.
  const options = { ServerResponse: PageResponse, keepAliveTimeout: 0, requestTimeout: 0 };
  const server = createServer(options, listener);
  if (settings.mode === "dev") {
    const upgrade = pages.getUpgradeHandler();
    server.on("upgrade", (request, socket, head) => void upgrade(request, socket, head));
  }
  server.listen(settings.socketPath, () => tell(readUsage()));
  process.on("message", (message) => {
    if (message === PING) {
      tell(readUsage());
    } else {
      turns.setBusy(message === BUSY);
    }
  });
}

/**
 * Reports to the parent that this process works, and what it uses. Ignores a failure to send: the parent is gone, and
 * this process ends with it.
 */
function tell(usage: PagesUsage): void {
  process.send?.(usage, undefined, undefined, () => undefined);
}

function readUsage(): PagesUsage {
  const { user, system } = process.cpuUsage();
  return { memoryBytes: process.memoryUsage.rss(), cpuSeconds: (user + system) / 1_000_000 };
}

function fail(error: unknown): void {
  log.fatal({ err: error }, "The pages failed unexpectedly; their process ends.");
  process.exit(1);
}
