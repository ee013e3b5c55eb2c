import type { IncomingMessage, ServerResponse } from "node:http";
import { BODY_BYTES_MAX, tooLarge } from "#lib/api/edge/limited-body.ts";
import { DomainError } from "#lib/base/errors.ts";
import { refuse } from "./refuse.ts";

/** Whether a body of this many bytes exceeds the limit. */
export function isTooLarge(bytes: number): boolean {
  return bytes > BODY_BYTES_MAX;
}

/** Refuses a body that its headers already show to be unacceptable. @returns whether it did. */
export function refuseBody(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
): boolean {
  if (isTooLarge(Number(request.headers["content-length"] ?? 0))) {
    refuseTooLarge(response, path);
    return true;
  }
  const encoding = request.headers["content-encoding"];
  if (encoding && encoding !== "identity") {
    const detail = "A body must be sent without Content-Encoding.";
    refuse(response, new DomainError("content_type_unsupported", detail), path);
    return true;
  }
  return false;
}

/** Answers 413 while the body is still arriving. */
export function refuseTooLarge(response: ServerResponse, path: string): void {
  refuse(response, tooLarge(), path);
}
