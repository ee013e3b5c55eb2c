import { DomainError } from "#lib/base/errors.ts";
import type { Room } from "#lib/base/shared-pool.ts";

/** The maximum size of a body. */
export interface BodyLimits {
  bytes: number;
  members: number;
}

export const BODY_LIMITS: BodyLimits = { bytes: 65_536, members: 200 };

/** For operations on many records at once. */
export const LARGE_BODY_LIMITS: BodyLimits = { bytes: 1_048_576, members: 40_000 };

/**
 * Reads a body to its end.
 * @param room accounts for the bytes that have arrived.
 * @throws DomainError `body_too_large` as soon as it exceeds the limit, `overloaded`; what the stream throws.
 */
export async function readLimited(
  stream: AsyncIterable<Uint8Array>,
  room: Room,
  limits = BODY_LIMITS,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    requireSize(length, limits);
    room.take(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @throws DomainError `body_too_large`. */
export function requireSize(bytes: number, limits = BODY_LIMITS): void {
  if (isTooLarge(bytes, limits)) {
    throw new DomainError("body_too_large", `A body must be at most ${limits.bytes} bytes long.`);
  }
}

/** Whether a body of this many bytes exceeds the limit. */
export function isTooLarge(bytes: number, limits: BodyLimits): boolean {
  return bytes > limits.bytes;
}

/**
 * @param encoding the request's `Content-Encoding`.
 * @throws DomainError `content_type_unsupported`.
 */
export function requirePlain(encoding: string | null): void {
  if (encoding !== null && encoding.toLowerCase() !== "identity") {
    throw new DomainError(
      "content_type_unsupported",
      "A body must be sent without Content-Encoding.",
    );
  }
}
