import type { IncomingMessage } from "node:http";
import { env } from "#lib/base/env.ts";
import { DomainError } from "#lib/base/errors.ts";

const HOST = /^(?<name>[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/iu;

/** These paths accept any `Host`, because proxies' health checks send none, or an address. */
const HEALTH = "/api/health/";

/**
 * Checks the host that a request names. The host of an absolute target replaces the request's `Host` (RFC 9112, 3.2).
 * @returns the refusal if there are several hosts, if the host is invalid or not this server's, or if it is missing
 * where HTTP/1.1 requires it.
 */
export function findHostFault(
  request: IncomingMessage,
  { path, host }: { path: string; host: string | undefined },
): DomainError | undefined {
  if (countHosts(request) > 1) {
    return malformed("A request must have a single Host header; this one has several.");
  }
  if (host !== undefined) {
    request.headers.host = host;
  }
  const named = request.headers.host ?? "";
  const isHealth = path.startsWith(HEALTH);
  if (named !== "") {
    return judge(named, isHealth);
  }
  return isHealth || request.httpVersion === "1.0"
    ? undefined
    : malformed("An HTTP/1.1 request must have a Host header.");
}

function judge(named: string, isHealth: boolean): DomainError | undefined {
  const { name } = HOST.exec(named)?.groups ?? {};
  if (name === undefined) {
    return malformed("The request's Host is not a valid host.");
  }
  return isHealth || env().hosts.has(name.toLowerCase()) ? undefined : misdirected(name);
}

function misdirected(name: string): DomainError {
  return new DomainError(
    "host_unknown",
    `This server is not ${name}. It answers requests to the host of PUBLIC_URL and to those of ALLOWED_HOSTS.`,
  );
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
