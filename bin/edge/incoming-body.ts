import type { IncomingMessage } from "node:http";
import { readLimited, requireSize } from "#lib/api/edge/limited-body.ts";
import { SharedPool } from "#lib/base/shared-pool.ts";
import type { Room } from "#lib/base/shared-pool.ts";

/** What bodies that are still arriving may take of this process's memory: as much as 256 of the longest. */
const WAITING_BYTES_MAX = 256 * 65_536;

/** A budget of bytes for bodies that are still arriving, by whoever sends them. */
export function createBodyBudget(): SharedPool {
  return new SharedPool(WAITING_BYTES_MAX, "Too many bodies are arriving at once; wait a moment.");
}

/**
 * Reads a request's body to its end.
 * @param room takes what has arrived of it.
 * @throws DomainError `body_too_large` or `overloaded`, while the rest of the body is still arriving; Error when the body
 * breaks off.
 */
export async function readBody(request: IncomingMessage, room: Room): Promise<Buffer> {
  requireSize(Number(request.headers["content-length"] ?? 0));
  // A stream that is destroyed takes the connection with it, and nothing can be answered.
  return readLimited(request.iterator({ destroyOnReturn: false }), room);
}
