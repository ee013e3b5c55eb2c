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

/** An error of the HTTP parser, with the bytes that it could not read and how far it came. */
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
    // One that has ended was answered, and is about to be closed: it could lose the answer now.
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
 * Invalid input may follow a request that is still in progress. That request's answer goes first, or its
 * client would take the refusal for it. If the request itself could not be read to its end, the refusal is
 * its answer.
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

/** Some clients send `patch` as it was written: only the usual methods of a browser's `fetch` become upper case. */
function toMethodProblem({ rawPacket, bytesParsed = 0 }: ParserError): string | undefined {
  const text = rawPacket?.toString("latin1") ?? "";
  const line = text.slice(text.lastIndexOf("\n", bytesParsed) + 1);
  const [given = ""] = /^[a-z]+(?= )/iu.exec(line) ?? [];
  const method = given.toUpperCase();
  return given !== method && METHODS.includes(method)
    ? `HTTP methods are case-sensitive: send ${method}, not ${given}.`
    : undefined;
}
