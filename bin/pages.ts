import { readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { setPriority } from "node:os";
import path from "node:path";
import next from "next";
import { isApi } from "./edge/target.ts";
import { pagesSettingsSchema } from "./pages-settings.ts";
import type { PagesSettings } from "./pages-settings.ts";
import { env } from "#lib/base/env.ts";
import { log } from "#lib/base/log.ts";
import { configureDatabase } from "#db/client.ts";

/**
 * The process that serves pages and sign-in, and nothing else. Its parent (`pages-process.ts`) starts it, forwards
 * requests to its socket and ends it; requests and connections are bounded there.
 */

/** Pages wait for the API, never the other way round. */
const NICENESS = 10;

/** Sign-in writes little, and pages read a handful of statements at a time; the API's pools are not theirs. */
const CONNECTIONS = 2;
const READ_CONNECTIONS = 4;

/** A whole process group is often signaled at once; only the parent knows when the last page is answered. */
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);

process.once("message", (message) => void start(pagesSettingsSchema.parse(message)));

async function start(settings: PagesSettings): Promise<void> {
  // However the parent ended, this process ends with it, and takes its socket along.
  process.once("disconnect", () => {
    rmSync(path.dirname(settings.socketPath), { recursive: true, force: true });
    process.exit(0);
  });
  if (settings.mode === "production") {
    lowerPriority();
  }
  configureDatabase(settings.databaseUrl, { max: CONNECTIONS, readsMax: READ_CONNECTIONS });
  const { host, port } = env();
  const pages = next({ dev: settings.mode === "dev", hostname: host, port, quiet: true });
  await pages.prepare();
  const toPages = pages.getRequestHandler();
  const listener: RequestListener = (request, response) => {
    // Next.js has a copy of the API's routes; whatever leads there must not be answered by it.
    if (isApi((request.url ?? "/").split("?", 1)[0] ?? "/")) {
      response.writeHead(404).end();
      return;
    }
    void toPages(request, response);
  };
  // The parent alone closes connections: one closed from here could meet a request on its way.
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, listener);
  if (settings.mode === "dev") {
    const upgrade = pages.getUpgradeHandler();
    server.on("upgrade", (request, socket, head) => void upgrade(request, socket, head));
  }
  server.listen(settings.socketPath, () => process.send?.("listening"));
  process.on("message", () => process.send?.("pong"));
}

/** On Linux a priority is a thread's: those that Node has started already are lowered one by one. */
function lowerPriority(): void {
  const threads = process.platform === "linux" ? readdirSync("/proc/self/task").map(Number) : [0];
  for (const thread of threads) {
    setPriority(thread, NICENESS);
  }
}

function fail(error: unknown): void {
  log.fatal({ err: error }, "The pages failed in a way nothing expected; their process ends.");
  process.exit(1);
}
