import type { IncomingMessage } from "node:http";
import { env } from "#lib/base/env.ts";
import { toReportedAddress, UNREADABLE_ADDRESS } from "#lib/base/ip-address.ts";
import { log } from "#lib/base/log.ts";
import { toPrintableName } from "#lib/base/printable.ts";
import { seldom } from "./seldom.ts";

/**
 * The network address a request came from. Anyone can send forwarding headers, so only those of the configured number
 * of proxies count, and of these only the address that the outermost proxy saw. An unreadable address is no reason to
 * refuse a request, but all clients without a readable address share their limits.
 */
export function toClientAddress(request: IncomingMessage): string {
  const { trustedProxies } = env();
  const forwarded = String(request.headers["x-forwarded-for"] ?? "").split(",");
  const seen = trustedProxies > 0 ? forwarded.at(-trustedProxies)?.trim() : undefined;
  if (!seen) {
    return request.socket.remoteAddress || "unknown";
  }
  const address = toReportedAddress(seen);
  if (address === UNREADABLE_ADDRESS) {
    warn(seen);
  }
  return address;
}

const warn = seldom((seen: string) => {
  log.warn(
    { reported: toPrintableName(seen) },
    "A proxy reports clients without a readable address in X-Forwarded-For: they share their limits.",
  );
});
