import type { IncomingMessage } from "node:http";
import { readLimited, requireSize } from "#lib/api/edge/limited-body.ts";
import { SharedPool } from "#lib/base/shared-pool.ts";
import type { Room } from "#lib/base/shared-pool.ts";

/** The most memory for bodies that are still arriving: as much as 256 bodies of the maximum length. */
const WAITING_BYTES_MAX = 256 * 65_536;

/** A budget of bytes for bodies that are still arriving, by whoever sends them. */
export function createBodyBudget(): SharedPool {
  return new SharedPool(WAITING_BYTES_MAX, "Too many bodies are arriving at once; wait a moment.");
}

/**
 * Reads a request's body to its end.
 * @param room accounts for the bytes that have arrived.
 * @throws DomainError `body_too_large` or `overloaded`, while the rest of the body is still arriving; Error when the body
 * breaks off.
 */
export async function readBody(request: IncomingMessage, room: Room): Promise<Buffer> {
  requireSize(Number(request.headers["content-length"] ?? 0));
  // Destroying the stream would close the connection before the request is answered.
  return readLimited(request.iterator({ destroyOnReturn: false }), room);
}
