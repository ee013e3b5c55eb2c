import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { Pool } from "undici";
import type { Dispatcher } from "undici";
import { requirePlain } from "#lib/api/edge/limited-body.ts";
import { env } from "#lib/base/env.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { toNetwork } from "#lib/base/ip-address.ts";
import { log } from "#lib/base/log.ts";
import { timeLimit } from "#db/time-limits.ts";
import { toAnswerHeaders } from "./answer-headers.ts";
import { toClientAddress } from "./client-address.ts";
import { createBodyBudget, readBody } from "./incoming-body.ts";
import type { Mode } from "./page-headers.ts";
import { toPageHeaders } from "./page-headers.ts";
import { refuse } from "./refuse.ts";
import { SharedPool } from "#lib/base/shared-pool.ts";
import { answerStillUnavailable, answerUnavailable } from "./unavailable-page.ts";
import type { Requested } from "./unavailable-page.ts";

/** How many requests the pages may have in flight. */
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
 * bodies never reach it, and only then counts as in flight. Answers are relayed as they stream. A request that its client
 * abandons is abandoned there too.
 */
export function createForward(pages: Pages, mode: Mode): Forward {
  const pool = new Pool("http://pages.invalid", {
    socketPath: pages.socketPath,
    headersTimeout: timeLimit("pageSilence"),
    bodyTimeout: timeLimit("pageSilence"),
  });
  const bodies = createBodyBudget();
  const inFlight = new SharedPool(
    IN_FLIGHT_MAX,
    "Too many pages are loading in this network; wait a moment.",
  );
  let isOutageLogged = false;
  return (request, response, url) => {
    const [path = "/"] = url.split("?", 1);
    const forwarded = {
      url,
      path,
      accept: request.headers.accept,
      requestId: randomUUID(),
      pageHeaders: toPageHeaders(mode),
    };
    if (!pages.isAnswering()) {
      const answerAway = isOutageLogged ? answerStillUnavailable : answerUnavailable;
      isOutageLogged = true;
      answerAway(response, forwarded, "pages_unavailable");
      return;
    }
    isOutageLogged = false;
    const network = toNetwork(toClientAddress(request));
    const answer = async () => {
      requirePlain(request.headers["content-encoding"] ?? null);
      const body = await bodies.hold(network, (room) => readBody(request, room));
      await inFlight.hold(network, (room) => {
        room.take(1);
        return relay(pool, { request, response }, { ...forwarded, body, signal: room.signal });
      });
    };
    answer().catch((error: unknown) => answerFailure(error, { request, response }, forwarded));
  };
}

interface Pair {
  request: IncomingMessage;
  response: ServerResponse;
}

/** A request with its body. */
interface Arrived extends Forwarded {
  body: Buffer;
  /** Aborts if the request is refused after its body arrived. */
  signal: AbortSignal;
}

async function relay(pool: Pool, { request, response }: Pair, arrived: Arrived): Promise<void> {
  const { body, url, signal } = arrived;
  const abandonment = new AbortController();
  response.once("close", () => abandonment.abort());
  const answer = await pool.request({
    method: request.method ?? "GET",
    path: url,
    headers: toUpstreamHeaders(request, arrived),
    body: body.length > 0 ? body : null,
    signal: AbortSignal.any([abandonment.signal, signal]),
  });
  await sendAnswer(answer, response, arrived);
}

async function sendAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  response: ServerResponse,
  forwarded: Forwarded,
): Promise<void> {
  // A page is withheld for only one reason: the database did not answer.
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
  // The client is gone, or its body broke off: nobody would read an answer.
  if (response.destroyed || (!isDomainError(error) && !request.complete)) {
    return;
  }
  if (!isDomainError(error)) {
    const { path, requestId } = forwarded;
    log.warn({ err: error, requestId, path }, "The pages failed to answer a request.");
  }
  if (response.headersSent) {
    response.destroy();
  } else if (!isDomainError(error)) {
    answerUnavailable(response, forwarded, "pages_unavailable");
  } else if (error.code === "overloaded") {
    answerUnavailable(response, forwarded, error.code);
  } else {
    refuse(response, error, forwarded);
  }
}
