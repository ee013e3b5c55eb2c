import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { Pool } from "undici";
import type { Dispatcher } from "undici";
import { requirePlain } from "#lib/api/edge/limited-body.ts";
import { env } from "#lib/base/env.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { log } from "#lib/base/log.ts";
import { timeLimit } from "#db/time-limits.ts";
import { toAnswerHeaders } from "./answer-headers.ts";
import { toClientAddress } from "./client-address.ts";
import { readBody } from "./incoming-body.ts";
import type { Mode } from "./page-headers.ts";
import { toPageHeaders } from "./page-headers.ts";
import { refuse } from "./refuse.ts";
import { answerUnavailable } from "./unavailable-page.ts";
import type { Requested } from "./unavailable-page.ts";

/** How many requests the pages may have in flight; further ones are refused as overloaded. */
const IN_FLIGHT_MAX = 256;

/**
 * Headers that concern one connection only (RFC 9110, 7.6.1). `Connection` can name no others: see
 * `connection-header.ts`. How a message is framed is left to the HTTP library, in both directions.
 */
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

/** The process that serves pages. */
export interface Pages {
  /** Where it listens. */
  readonly socketPath: string;
  isAnswering(): boolean;
}

/** One request on its way to the pages. */
interface Forwarded extends Requested {
  url: string;
  pageHeaders: ReturnType<typeof toPageHeaders>;
}

/**
 * Forwards requests to the process that serves pages. A request is sent there once its body has arrived, so that slow
 * bodies never reach it. Answers are relayed as they stream. A request that its client abandons is abandoned there too.
 */
export function createForward(pages: Pages, mode: Mode): Forward {
  const pool = new Pool("http://pages.invalid", {
    socketPath: pages.socketPath,
    headersTimeout: timeLimit("pageSilence"),
    bodyTimeout: timeLimit("pageSilence"),
  });
  let inFlight = 0;
  return (request, response, url) => {
    const [path = "/"] = url.split("?", 1);
    const forwarded = {
      url,
      path,
      accept: request.headers.accept,
      requestId: randomUUID(),
      pageHeaders: toPageHeaders(mode),
    };
    if (!pages.isAnswering() || inFlight >= IN_FLIGHT_MAX) {
      answerUnavailable(response, forwarded, "pages_unavailable");
      return;
    }
    inFlight += 1;
    response.once("close", () => {
      inFlight -= 1;
    });
    relay(pool, { request, response }, forwarded).catch((error: unknown) => {
      answerFailure(error, { request, response }, forwarded);
    });
  };
}

interface Pair {
  request: IncomingMessage;
  response: ServerResponse;
}

async function relay(pool: Pool, { request, response }: Pair, forwarded: Forwarded): Promise<void> {
  const abandonment = new AbortController();
  response.once("close", () => abandonment.abort());
  requirePlain(request.headers["content-encoding"] ?? null);
  const body = await readBody(request);
  const answer = await pool.request({
    method: request.method ?? "GET",
    path: forwarded.url,
    headers: toUpstreamHeaders(request, forwarded),
    body: body.length > 0 ? body : null,
    signal: abandonment.signal,
  });
  await sendAnswer(answer, response, forwarded);
}

async function sendAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  response: ServerResponse,
  forwarded: Forwarded,
): Promise<void> {
  // A page is withheld for a single reason: the database did not answer.
  if (statusCode === 503 && headers["content-length"] === "0") {
    await body.dump();
    answerUnavailable(response, forwarded, "database_unavailable");
    return;
  }
  response.writeHead(statusCode, {
    ...withoutHopByHop(headers),
    ...toAnswerHeaders(),
    ...forwarded.pageHeaders,
    "x-request-id": forwarded.requestId,
  });
  await pipeline(body, response);
}

function toUpstreamHeaders(
  request: IncomingMessage,
  { pageHeaders, requestId }: Forwarded,
): IncomingHttpHeaders {
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
    "x-request-id": requestId,
    "content-security-policy": pageHeaders["content-security-policy"],
  };
}

function withoutHopByHop(given: IncomingHttpHeaders): IncomingHttpHeaders {
  const headers = { ...given };
  for (const name of HOP_BY_HOP) {
    delete headers[name];
  }
  return headers;
}

function answerFailure(error: unknown, { request, response }: Pair, forwarded: Forwarded): void {
  if (isDomainError(error)) {
    refuse(response, error, forwarded);
    return;
  }
  // A client that is gone, or whose body broke off, hears nothing more.
  if (response.destroyed || !request.complete) {
    return;
  }
  const { path, requestId } = forwarded;
  log.warn({ err: error, requestId, path }, "The pages failed to answer a request.");
  if (response.headersSent) {
    response.destroy();
  } else {
    answerUnavailable(response, forwarded, "pages_unavailable");
  }
}
