import { DomainError } from "#lib/base/errors.ts";

/** The largest body accepted. */
export const BODY_BYTES_MAX = 65_536;

/**
 * Reads a body to its end.
 * @throws DomainError `body_too_large` as soon as it exceeds the limit; what the stream throws.
 */
export async function readLimited(stream: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    requireSize(length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** @throws DomainError `body_too_large`. */
export function requireSize(bytes: number): void {
  if (isTooLarge(bytes)) {
    throw new DomainError("body_too_large", `A body must be at most ${BODY_BYTES_MAX} bytes long.`);
  }
}

/** Whether a body of this many bytes exceeds the limit. */
export function isTooLarge(bytes: number): boolean {
  return bytes > BODY_BYTES_MAX;
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
