import type { IncomingMessage } from "node:http";
import { DomainError } from "#lib/base/errors.ts";

const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/iu;

/** Answered without `Host`: the health checks of proxies send none. */
const HEALTH = "/api/health/";

/**
 * Checks the host that a request names, and makes that of an absolute target the request's own (RFC 9112, 3.2).
 * @returns the refusal of several, of one that is not a host, and of none where HTTP/1.1 requires one.
 */
export function findHostFault(
  request: IncomingMessage,
  { path, host }: { path: string; host: string | undefined },
): DomainError | undefined {
  if (countHosts(request) > 1) {
    return malformed("A request names its host once; this one has several Host headers.");
  }
  if (host !== undefined) {
    request.headers.host = host;
  }
  const named = request.headers.host ?? "";
  if (named !== "") {
    return HOST.test(named) ? undefined : malformed("The request's Host is not a host.");
  }
  const isOptional = request.httpVersion === "1.0" || path.startsWith(HEALTH);
  return isOptional ? undefined : malformed("A request in HTTP/1.1 must name its Host.");
}

function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    count += name.length === 4 && name.toLowerCase() === "host" ? 1 : 0;
  }
  return count;
}

function malformed(detail: string): DomainError {
  return new DomainError("request_malformed", detail);
}
