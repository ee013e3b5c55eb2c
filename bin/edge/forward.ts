import { Agent, request as requestUpstream } from "node:http";
import type {
  ClientRequest,
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from "node:http";
import { pipeline } from "node:stream";
import { tooLarge } from "#lib/api/edge/limited-body.ts";
import { env } from "#lib/base/env.ts";
import { DomainError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { toAnswerHeaders } from "./answer-headers.ts";
import { toClientAddress } from "./client-address.ts";
import { isTooLarge, refuseBody } from "./page-body.ts";
import type { Mode } from "./page-headers.ts";
import { toPageHeaders } from "./page-headers.ts";
import { refuse } from "./refuse.ts";
import { answerUnavailable } from "./unavailable-page.ts";
import type { Requested } from "./unavailable-page.ts";

/** How many requests the pages may have in flight; further ones are refused as overloaded. */
const IN_FLIGHT_MAX = 256;

/** How long the pages may stay silent. */
const SILENCE_MAX_MS = 60_000;

/** Headers that concern one connection only (RFC 9110, 7.6.1), in addition to those `Connection` names. */
const HOP_BY_HOP = [
  "connection",
  "expect",
  "http2-settings",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Answers a request with the pages' answer. `url` is its normalized target. */
export type Forward = (request: IncomingMessage, response: ServerResponse, url: string) => void;

/**
 * Forwards requests to the process that serves pages. Nothing is buffered: bodies are counted as they stream
 * in both directions, and a request that its client abandons is abandoned there too.
 *
 * @param socketPath where that process listens; undefined while it is not running.
 */
export function createForward(socketPath: () => string | undefined, mode: Mode): Forward {
  const agent = new Agent({ keepAlive: true });
  let inFlight = 0;
  return (request, response, url) => {
    const [path = "/"] = url.split("?", 1);
    const requested = { path, accept: request.headers.accept };
    const to = socketPath();
    if (refuseBody(request, response, path)) {
      return;
    }
    if (to === undefined || inFlight >= IN_FLIGHT_MAX) {
      answerUnavailable(response, requested, "pages_unavailable");
      return;
    }
    inFlight += 1;
    response.once("close", () => {
      inFlight -= 1;
    });
    const pageHeaders = toPageHeaders(mode);
    const upstream = requestUpstream({
      agent,
      socketPath: to,
      method: request.method,
      path: url,
      headers: toUpstreamHeaders(request, pageHeaders),
      timeout: SILENCE_MAX_MS,
    });
    sendBody(request, upstream);
    relayAnswer(upstream, response, { ...requested, pageHeaders });
    answerFailure(upstream, response, requested);
  };
}

function toUpstreamHeaders(
  request: IncomingMessage,
  { "content-security-policy": policy }: ReturnType<typeof toPageHeaders>,
): OutgoingHttpHeaders {
  const headers = withoutHopByHop(request.headers);
  for (const name of Object.keys(headers)) {
    if (name.startsWith("x-forwarded-") || name === "forwarded") {
      delete headers[name];
    }
  }
  return {
    ...headers,
    host: request.headers.host || new URL(env().publicUrl).host,
    "x-forwarded-for": toClientAddress(request),
    "content-security-policy": policy,
    // Node frames the body of a GET only when told to; an unframed one would be read as the next request.
    ...(request.headers["transfer-encoding"] ? { "transfer-encoding": "chunked" } : {}),
  };
}

function withoutHopByHop(given: IncomingHttpHeaders): IncomingHttpHeaders {
  const headers = { ...given };
  const named = given.connection?.toLowerCase().split(",") ?? [];
  for (const name of [...HOP_BY_HOP, ...named.map((each) => each.trim())]) {
    delete headers[name];
  }
  return headers;
}

function sendBody(request: IncomingMessage, upstream: ClientRequest): void {
  let received = 0;
  request.on("data", (chunk: Buffer) => {
    if (upstream.destroyed) {
      return;
    }
    received += chunk.length;
    if (isTooLarge(received)) {
      upstream.destroy(tooLarge());
    } else if (!upstream.write(chunk)) {
      request.pause();
      upstream.once("drain", () => request.resume());
    }
  });
  request.once("end", () => upstream.end());
}

function relayAnswer(
  upstream: ClientRequest,
  response: ServerResponse,
  { pageHeaders, ...requested }: Requested & { pageHeaders: Record<string, string> },
): void {
  upstream.once("response", (answer) => {
    if (response.headersSent) {
      answer.destroy();
      return;
    }
    // A page is withheld for a single reason: the database did not answer.
    if (answer.statusCode === 503 && answer.headers["content-length"] === "0") {
      answer.resume();
      answerUnavailable(response, requested, "database_unavailable");
      return;
    }
    response.writeHead(answer.statusCode ?? 502, {
      ...withoutHopByHop(answer.headers),
      ...toAnswerHeaders(),
      ...pageHeaders,
    });
    // When either side fails, close the other; there is no client left to answer.
    pipeline(answer, response, () => undefined);
  });
  response.once("close", () => {
    if (!response.writableFinished) {
      upstream.destroy();
    }
  });
}

function answerFailure(
  upstream: ClientRequest,
  response: ServerResponse,
  requested: Requested,
): void {
  upstream.once("timeout", () => upstream.destroy(new Error("The pages did not answer in time.")));
  upstream.on("error", (error) => {
    if (response.destroyed || response.writableEnded) {
      return;
    }
    if (error instanceof DomainError && !response.headersSent) {
      refuse(response, error, requested.path);
      return;
    }
    log.warn({ err: error, path: requested.path }, "The pages failed to answer a request.");
    if (response.headersSent) {
      response.destroy();
    } else {
      answerUnavailable(response, requested, "pages_unavailable");
    }
  });
}
