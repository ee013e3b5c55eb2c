import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { toProblemAnswer } from "#lib/api/wire/answer.ts";
import type { Answer } from "#lib/api/wire/answer.ts";
import { logUnavailable } from "#lib/api/wire/log-unavailable.ts";
import { toRefusal } from "#lib/api/wire/problem.ts";
import type { DomainError } from "#lib/base/errors.ts";
import { toAnswerHeaders } from "./answer-headers.ts";
import { closeSoon } from "./lingering-response.ts";

/**
 * Converts a refusal or failure of the edge itself to a problem, so that requests the API never saw are
 * answered in its format too. Anything but a refusal is logged and answered with 500. An answer of 503 is logged too.
 */
export function toEdgeProblem(
  thrown: unknown,
  path: string,
  requestId: string = randomUUID(),
): { status: number; headers: Record<string, string>; body: string } {
  const answer = toProblemAnswer(toRefusal(thrown, { requestId }), { instance: path, requestId });
  logUnavailable(answer, { requestId, path }, thrown);
  return toParts(answer, requestId);
}

function toParts({ status, contentType, body, headers }: Answer, requestId: string) {
  return {
    status,
    headers: {
      ...toAnswerHeaders(),
      "content-type": contentType,
      "content-length": String(Buffer.byteLength(body)),
      "x-request-id": requestId,
      "cache-control": "no-store",
      ...headers,
    },
    body,
  };
}

/** Answers with the problem, possibly while the body is still arriving. */
export function refuse(
  response: ServerResponse,
  refusal: DomainError,
  { path, requestId }: { path: string; requestId?: string },
): void {
  const { status, headers, body } = toEdgeProblem(refusal, path, requestId);
  response.writeHead(status, headers);
  response.end(body);
}

/** Like `refuse`, for a refusal that is already in the log: writes no log line. */
export function refuseUnlogged(
  response: ServerResponse,
  refusal: DomainError,
  { path: instance, requestId }: { path: string; requestId: string },
): void {
  const answer = toProblemAnswer(refusal, { instance, requestId });
  const { status, headers, body } = toParts(answer, requestId);
  response.writeHead(status, headers);
  response.end(body);
}

/**
 * Answers with the problem when there is no response object, and closes the connection. Nothing reads the connection
 * anymore, so a client that still sends would otherwise keep it open.
 */
export function refuseRaw(socket: Duplex, refusal: DomainError): void {
  const { status, headers, body } = toEdgeProblem(refusal, "");
  const lines = Object.entries({ ...headers, Connection: "close" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("\r\n")}\r\n\r\n${body}`,
  );
  closeSoon(socket);
}
