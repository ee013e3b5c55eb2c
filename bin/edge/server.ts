import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { findBodyLimits } from "#lib/api/edge/body-limits.ts";
import { apiForgotten, pathDisguised } from "#lib/api/edge/refuse-unserved.ts";
import { isTooLarge } from "#lib/api/edge/limited-body.ts";
import { env } from "#lib/base/env.ts";
import { DomainError } from "#lib/base/errors.ts";
import { isStopping } from "#lib/base/lifecycle.ts";
import { log } from "#lib/base/log.ts";
import type { ApiListener } from "./api-listener.ts";
import { answerClientErrors } from "./client-errors.ts";
import { answerClientPackage, isClientPath } from "./client-package.ts";
import { findConnectionFault } from "./connection-header.ts";
import { limitConnections, shareConnections } from "./connection-shares.ts";
import type { Forward } from "./forward.ts";
import { findHostFault } from "./host.ts";
import { isInboxPath } from "./inbox.ts";
import type { InboxListener } from "./inbox.ts";
import { LingeringResponse } from "./lingering-response.ts";
import { refuse, refuseRaw } from "./refuse.ts";
import { readTarget } from "./target.ts";
import { isHotReload } from "./upgrade.ts";
import { timeLimit } from "#db/time-limits.ts";

const KEEP_ALIVE_MS = 65_000;
/** How often the timeouts are checked. */
const CHECK_MS = 1_000;

/** The parts that answer behind the edge. */
export interface Parts {
  toApi: ApiListener;
  toPages: Forward;
  toInbox: InboxListener;
  /** Whether browsers may connect for hot reload. */
  hotReload: boolean;
  /** How many connections are kept open. */
  connectionsMax: number;
}

/**
 * The HTTP server that faces the network. It decides which part answers a request, and answers invalid HTTP
 * and unknown targets itself. A request to change the protocol is answered in HTTP/1.1.
 */
export function createEdge(parts: Parts): Server {
  const server = createServer({
    ServerResponse: LingeringResponse,
    headersTimeout: timeLimit("requestHead"),
    requestTimeout: timeLimit("request"),
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_MS,
    // Health checks of proxies send no Host; `findHostFault` decides.
    requireHostHeader: false,
    shouldUpgradeCallback: (request) => parts.hotReload && isHotReload(request),
  });
  const begin = startCounting(server, parts.connectionsMax);
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    begin(request, response);
    route(request, response, parts);
  };
  server.on("request", listener);
  server.on("checkContinue", (request, response) => {
    // Do not send 100 Continue for a body that will be refused.
    const limits = findBodyLimits(request.method ?? "", request.url ?? "");
    if (!isTooLarge(Number(request.headers["content-length"] ?? 0), limits)) {
      response.writeContinue();
    }
    listener(request, response);
  });
  server.on("checkExpectation", (request, response) => {
    begin(request, response);
    const detail = "The only expectation this server supports is 100-continue.";
    refuse(response, new DomainError("expectation_failed", detail), { path: request.url ?? "" });
  });
  server.on("connect", (_request, socket) => {
    refuseRaw(socket, new DomainError("request_malformed", "This server is not a proxy."));
  });
  return server;
}

/** @returns a function to call with each request as it starts. */
function startCounting(
  server: Server,
  connectionsMax: number,
): (request: IncomingMessage, response: ServerResponse) => void {
  const noteLatest = answerClientErrors(server);
  if (env().trustedProxies > 0) {
    limitConnections(server, connectionsMax);
    return noteLatest;
  }
  const noteShare = shareConnections(server, connectionsMax);
  return (request, response) => {
    noteLatest(request, response);
    noteShare(request, response);
  };
}

function route(
  request: IncomingMessage,
  response: ServerResponse,
  { toApi, toPages, toInbox }: Parts,
): void {
  if (isStopping()) {
    response.setHeader("Connection", "close");
  }
  const target = readTarget(request.url ?? "");
  const path = "url" in target ? (target.url.split("?", 1)[0] ?? "") : "";
  const fault =
    findConnectionFault(request) ??
    findHostFault(request, { path, host: "host" in target ? target.host : undefined });
  if (fault) {
    refuse(response, fault, { path });
    return;
  }
  if (!("url" in target)) {
    refuse(response, toTargetRefusal(request, target.kind), { path });
    return;
  }
  request.url = target.url;
  if (target.kind === "api") {
    void toApi(request, response);
  } else {
    answerBesideApi(request, response, { toPages, toInbox, path, url: target.url });
  }
}

/** Answers requests outside the API: for the client library, inboxes, and pages. */
function answerBesideApi(
  request: IncomingMessage,
  response: ServerResponse,
  {
    toPages,
    toInbox,
    path,
    url,
  }: Pick<Parts, "toPages" | "toInbox"> & Record<"path" | "url", string>,
): void {
  if (isClientPath(path)) {
    void answerClientPackage(request, response, path);
  } else if (isInboxPath(path)) {
    void toInbox(request, response, path);
  } else if (isOfProgram(request) && !isSignIn(path)) {
    refuse(response, apiForgotten(request.method ?? "GET", path), { path });
  } else if (request.method === "TRACE") {
    // Next.js would answer 500 where it has a route handler.
    response.setHeader("Allow", "GET, HEAD, POST");
    refuse(response, new DomainError("method_not_allowed", "Pages do not support TRACE."), {
      path,
    });
  } else if (request.headers["next-action"] === undefined) {
    toPages(request, response, url);
  } else {
    // Next.js would log a stack trace for each one. This line contains nothing that the client sent.
    log.warn("Refused a server action: the pages have none.");
    refuse(response, new DomainError("path_unknown", "The pages have no server actions."), {
      path,
    });
  }
}

/** Signing in is not part of the contract, and accepts requests from scripts. */
function isSignIn(path: string): boolean {
  return path === "/sign-in" || path.startsWith("/api/auth/");
}

/** Whether a program sent the request. People's browsers send no API key, and accept HTML. */
function isOfProgram({ headers: { authorization = "", accept = "" } }: IncomingMessage): boolean {
  return (
    /^bearer /iu.test(authorization) || (/json/iu.test(accept) && !/html|\*\/\*/iu.test(accept))
  );
}

function toTargetRefusal(
  { method = "GET", url = "" }: IncomingMessage,
  kind: "disguised" | "unused" | "malformed",
): DomainError {
  return kind === "malformed"
    ? new DomainError(
        "request_malformed",
        "The request's target must be a path, for example /api/cards.",
      )
    : pathDisguised(method, url.split("?", 1)[0] ?? "");
}
