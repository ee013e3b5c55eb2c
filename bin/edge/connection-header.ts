import type { IncomingMessage } from "node:http";
import { DomainError } from "#lib/base/errors.ts";

/** What a client may name in `Connection`. None of it reaches the pages. */
const OPTIONS = new Set([
  "close",
  "http2-settings",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "upgrade",
]);

/**
 * A `Connection` that names other headers asks a proxy to remove them (RFC 9110, 7.6.1). Removing a header that frames
 * or authenticates the message would change what the message is.
 */
export function findConnectionFault({ headers }: IncomingMessage): DomainError | undefined {
  const named = headers.connection?.toLowerCase().split(",") ?? [];
  // Empty elements are valid (RFC 9110, 5.6.1).
  const isAllowed = named.every((each) => each.trim() === "" || OPTIONS.has(each.trim()));
  return isAllowed
    ? undefined
    : new DomainError(
        "request_malformed",
        `The Connection header may only name: ${[...OPTIONS].join(", ")}.`,
      );
}
