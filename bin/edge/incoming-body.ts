import type { IncomingMessage } from "node:http";
import { readLimited, requireSize } from "#lib/api/edge/limited-body.ts";

/**
 * Reads a request's body to its end.
 * @throws DomainError `body_too_large`, while the rest of the body is still arriving; Error when the body breaks off.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  requireSize(Number(request.headers["content-length"] ?? 0));
  // A stream that is destroyed takes the connection with it, and nothing can be answered.
  const stream: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  return readLimited(stream);
}
