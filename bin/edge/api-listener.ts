import { IncomingMessage, ServerResponse } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Api } from "#lib/api/router.ts";
import { toResponse } from "#lib/api/edge/respond.ts";
import type { WireAnswer } from "#lib/api/wire/answer.ts";
import { env } from "#lib/base/env.ts";
import { DomainError } from "#lib/base/errors.ts";
import { toAnswerHeaders } from "./answer-headers.ts";
import { toClientAddress } from "./client-address.ts";
import { toEdgeProblem } from "./refuse.ts";

/** Answers a request with the API's answer. */
export type ApiListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** The API behind Node's HTTP server. */
export function createApiListener(api: Api): ApiListener {
  const answerHeaders = toAnswerHeaders();
  return getRequestListener(
    async (request, { incoming, outgoing }) => {
      const address = incoming instanceof IncomingMessage ? toClientAddress(incoming) : "unknown";
      return write(await api(request, { address }), outgoing, answerHeaders);
    },
    {
      // Leave Node's global Request in place.
      overrideGlobalObjects: false,
      // For a request without Host.
      hostname: new URL(env().publicUrl).host,
      errorHandler: toErrorResponse,
    },
  );
}

/** Writes an answer that is a text in one piece. Only a streamed one becomes a Response. */
function write(
  answer: WireAnswer,
  outgoing: object,
  answerHeaders: Readonly<Record<string, string>>,
): Response {
  const { status, body } = answer;
  const headers: Record<string, string> = { ...answerHeaders, ...answer.headers };
  if (!(outgoing instanceof ServerResponse) || body instanceof ReadableStream) {
    return toResponse({ status, headers, body });
  }
  // An answer without a body (304) must not claim that the resource is empty.
  if (body !== null) {
    headers["content-length"] = String(Buffer.byteLength(body));
  }
  // One call: setting headers one by one costs more than all other writing.
  outgoing.writeHead(status, headers);
  outgoing.end(body ?? "");
  return RESPONSE_ALREADY_SENT;
}

/** The answer when a Request cannot be constructed, or an error occurs outside any operation. */
function toErrorResponse(error: unknown): Response {
  const thrown =
    error instanceof RequestError
      ? new DomainError("request_malformed", "The request's target or Host is not valid.")
      : error;
  const { status, headers, body } = toEdgeProblem(thrown, "");
  return new Response(body, { status, headers });
}
