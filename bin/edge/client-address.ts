import type { IncomingMessage } from "node:http";
import { env } from "#lib/base/env.ts";

/**
 * The network address a request came from. Anyone can send forwarding headers, so only those of the
 * configured number of proxies count, and only the address that the outermost of them saw.
 */
export function toClientAddress(request: IncomingMessage): string {
  const { trustedProxies } = env();
  const forwarded = String(request.headers["x-forwarded-for"] ?? "").split(",");
  const seen = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() : undefined;
  return seen || request.socket.remoteAddress || "unknown";
}
