import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { DomainError } from "#lib/base/errors.ts";
import { refuseRaw } from "./refuse.ts";

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/**
 * Answers what the HTTP parser refuses with a problem of its own: 400, 408 and 431 instead of Node's empty answers.
 * @returns a function to be called with each request as it begins.
 */
export function answerClientErrors(
  server: Server,
): (request: IncomingMessage, response: ServerResponse) => void {
  const latest = new WeakMap<Duplex, Exchange>();
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (error.code === "ECONNRESET" || !socket.writable) {
      socket.destroy(error);
      return;
    }
    answerInOrder(latest.get(socket), socket, toRefusal(error.code));
  });
  return (request, response) => {
    latest.set(request.socket, { request, response });
  };
}

/**
 * What cannot be parsed may follow a request that is still being worked on: that one's answer goes first, or its client
 * would take the refusal for it. Of the request that could not be read to its end, the refusal is the answer.
 */
function answerInOrder(exchange: Exchange | undefined, socket: Duplex, refusal: DomainError): void {
  if (!exchange || exchange.response.writableFinished) {
    refuseRaw(socket, refusal);
  } else if (exchange.request.complete) {
    exchange.response.once("finish", () => refuseRaw(socket, refusal));
  } else if (exchange.response.headersSent) {
    socket.destroy();
  } else {
    refuseRaw(socket, refusal);
  }
}

function toRefusal(code: string | undefined): DomainError {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") {
    return new DomainError("request_timeout", "The request did not arrive in time.");
  }
  if (code === "HPE_HEADER_OVERFLOW") {
    return new DomainError("headers_too_large", "The request's headers are too large.");
  }
  return new DomainError("request_malformed", "This is not a valid HTTP/1.1 request.");
}
