import { randomBytes } from "node:crypto";
import { createServer, ServerResponse } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { getRequestListener } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import next from "next";
import { startApiLog, stopApiLog } from "#lib/api/api-log.ts";
import { createApi } from "#lib/api/router.ts";
import { textOf } from "#lib/api/written.ts";
import { startClockWatch } from "#lib/clock-skew.ts";
import { env } from "#lib/env.ts";
import { startHoldExpiry } from "#lib/hold-expiry.ts";
import { startBooksMonitor } from "#lib/ledger/monitor.ts";
import { beginStopping, isStopping } from "#lib/lifecycle.ts";
import { startRetention } from "#lib/retention.ts";
import { endpointPolicy } from "#lib/webhooks/endpoint-url.ts";
import { startWorker, WORKER_CONNECTIONS } from "#lib/webhooks/worker.ts";
import type { RunningWorker } from "#lib/webhooks/worker.ts";
import { database, openBeside } from "#db/client.ts";

/** A server that accepts requests. */
export interface RunningServer {
  /** Lets the requests in flight end, at most `STOP_TIMEOUT_MS`, and takes no new ones. */
  stop(): Promise<void>;
}

const STOP_TIMEOUT_MS = 20_000;
/** How long a client that is about to reuse its connection is still answered, and told to close it. */
const LINGER_MS = 1_000;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;

/** In `dev` pages are compiled as they are asked for. */
type Mode = "production" | "dev";

type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;

/**
 * Serves the API straight from its route modules and everything else through Next.js, on one port.
 */
export async function startServer(mode: Mode): Promise<RunningServer> {
  const { host, port } = env();
  const pages = next({ dev: mode === "dev", hostname: host, port, quiet: true });
  await pages.prepare();
  const toPages = pages.getRequestHandler();
  const toApi = await createApiListener();
  const server = createServer((request, response) => {
    void route(request, response, { toApi, toPages, mode });
  });
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  server.keepAliveTimeout = KEEP_ALIVE_TIMEOUT_MS;
  if (mode === "dev") {
    const upgrade = pages.getUpgradeHandler();
    server.on("upgrade", (request, socket, head) => void upgrade(request, socket, head));
  }
  await listen(server, { host, port });
  startApiLog();
  const chores = [
    startBooksMonitor(database()),
    startRetention(database()),
    startHoldExpiry(database()),
    startClockWatch(database()),
  ];
  const worker = env().worker ? startOwnWorker() : undefined;
  return {
    stop: async () => {
      beginStopping();
      for (const chore of chores) {
        chore.stop();
      }
      await Promise.all([drain(server), worker?.stop()]);
      await stopApiLog();
      await pages.close();
    },
  };
}

/** With connections of its own: neither waits for the other's. */
function startOwnWorker(): RunningWorker {
  const beside = openBeside({ max: WORKER_CONNECTIONS });
  const worker = startWorker(beside.db, endpointPolicy());
  return {
    stop: async () => {
      await worker.stop();
      await beside.close();
    },
  };
}

async function createApiListener(): Promise<Listener> {
  const api = await createApi();
  // The global Request stays Node's own: Next.js builds on it.
  return getRequestListener(
    async (request, { incoming, outgoing }) => {
      const response = await api(request, { address: addressOf(incoming) });
      return write(response, outgoing);
    },
    { overrideGlobalObjects: false },
  );
}

/** An answer whose text is known goes out in one piece, without the detour over its stream. */
function write(response: Response, outgoing: object): Response {
  const text = textOf(response);
  if (text === undefined || !(outgoing instanceof ServerResponse)) {
    return response;
  }
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
    "content-length": Buffer.byteLength(text),
  });
  outgoing.end(text);
  return RESPONSE_ALREADY_SENT;
}

async function route(
  request: IncomingMessage,
  response: ServerResponse,
  { toApi, toPages, mode }: { toApi: Listener; toPages: Listener; mode: Mode },
): Promise<void> {
  if (isStopping()) {
    response.setHeader("Connection", "close");
  }
  setClientAddress(request);
  const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
  if (isApiPath(path)) {
    await toApi(request, response);
    return;
  }
  setPageHeaders(request, response, mode);
  await toPages(request, response);
}

function isApiPath(path: string): boolean {
  const ofSignIn = path === "/api/auth" || path.startsWith("/api/auth/");
  return (path === "/api" || path.startsWith("/api/")) && !ofSignIn;
}

/** Forwarding headers are anybody's word; only those of configured proxies count, and only the address they vouch for. */
function setClientAddress(request: IncomingMessage): void {
  const { trustedProxies } = env();
  const forwarded = String(request.headers["x-forwarded-for"] ?? "").split(",");
  const vouched = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() : undefined;
  for (const name of Object.keys(request.headers)) {
    if (name.startsWith("x-forwarded-") || name === "forwarded") {
      delete request.headers[name];
    }
  }
  request.headers["x-forwarded-for"] = vouched || request.socket.remoteAddress || "unknown";
}

function addressOf(request: object): string {
  const headers = "headers" in request ? request.headers : undefined;
  const address =
    headers && typeof headers === "object" && "x-forwarded-for" in headers
      ? headers["x-forwarded-for"]
      : undefined;
  return typeof address === "string" ? address : "unknown";
}

/** Next.js takes the nonce for its own scripts from the policy on the request. */
function setPageHeaders(request: IncomingMessage, response: ServerResponse, mode: Mode): void {
  const nonce = randomBytes(16).toString("base64");
  // React needs eval to show where an error came from while pages are being worked on, and never otherwise.
  const evaluation = mode === "dev" ? " 'unsafe-eval'" : "";
  const policy = [
    "default-src 'self'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${evaluation}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
  request.headers["content-security-policy"] = policy;
  response.setHeader("Content-Security-Policy", policy);
  response.setHeader("Referrer-Policy", "no-referrer");
  response.setHeader("X-Content-Type-Options", "nosniff");
  if (env().publicUrl.startsWith("https://")) {
    response.setHeader("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  }
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

async function drain(server: Server): Promise<void> {
  await sleep(LINGER_MS);
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeIdleConnections();
  const gaveUp = sleep(STOP_TIMEOUT_MS, undefined, { ref: false }).then(() =>
    server.closeAllConnections(),
  );
  await Promise.race([closed, gaveUp]);
}
