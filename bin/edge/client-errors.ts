import { METHODS } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { DomainError } from "#lib/base/errors.ts";
import { refuseRaw } from "./refuse.ts";

/** The latest request on a connection, and its response. */
interface LatestRequest {
  request: IncomingMessage;
  response: ServerResponse;
}

/** An error of the HTTP parser, with the bytes that it could not parse and the offset that it reached. */
interface ParserError extends NodeJS.ErrnoException {
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/**
 * Answers requests that the HTTP parser rejects with a problem: 400, 408, or 431 instead of Node's empty
 * answers.
 * @returns a function to call with each request as it starts.
 */
export function answerClientErrors(
  server: Server,
): (request: IncomingMessage, response: ServerResponse) => void {
  const latest = new WeakMap<Duplex, LatestRequest>();
  server.on("clientError", (error: ParserError, socket) => {
    // A socket that has ended was answered and is about to close. Destroying it now could lose the answer.
    if (error.code === "ECONNRESET" || (!socket.writable && !socket.writableEnded)) {
      socket.destroy(error);
      return;
    }
    if (socket.writableEnded) {
      return;
    }
    answerInOrder(latest.get(socket), socket, toRefusal(error));
  });
  return (request, response) => {
    latest.set(request.socket, { request, response });
  };
}

/**
 * Invalid input may follow a request that is still in progress. That request is answered first; otherwise, the client
 * would mistake the refusal for its answer. If the request itself could not be read to its end, the refusal is its
 * answer.
 */
function answerInOrder(
  last: LatestRequest | undefined,
  socket: Duplex,
  refusal: DomainError,
): void {
  if (!last || last.response.writableFinished) {
    refuseRaw(socket, refusal);
  } else if (last.request.complete) {
    last.response.once("finish", () => refuseRaw(socket, refusal));
  } else if (last.response.headersSent) {
    socket.destroy();
  } else {
    refuseRaw(socket, refusal);
  }
}

function toRefusal(error: ParserError): DomainError {
  const { code } = error;
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new DomainError("request_timeout", "The request did not arrive in time.");
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return new DomainError("headers_too_large", "The request's headers are too large.");
  }
  return new DomainError(
    "request_malformed",
    toMethodProblem(error) ?? "This is not a valid HTTP/1.1 request.",
  );
}

/** Explains a lowercase method. Some clients send `patch` unchanged, because `fetch` does not convert it. */
function toMethodProblem({ rawPacket, bytesParsed = 0 }: ParserError): string | undefined {
  const text = rawPacket?.toString("latin1") ?? "";
  const line = text.slice(text.lastIndexOf("\n", bytesParsed) + 1);
  const [given = ""] = /^[a-z]+(?= )/iu.exec(line) ?? [];
  const method = given.toUpperCase();
  return given !== method && METHODS.includes(method)
    ? `HTTP methods are case-sensitive: send ${method}, not ${given}.`
    : undefined;
}
