import type { Env } from "#lib/base/env.ts";

/** Why the client addresses that this server sees cannot be right; undefined if nothing is wrong. */
export function findProxyFault({ publicUrl, trustedProxies }: Env): string | undefined {
  return publicUrl.startsWith("https:") && trustedProxies === 0
    ? "PUBLIC_URL is an https URL, so clients come through a proxy, but TRUSTED_PROXIES is 0: all of them seem to have the proxy's address, and the failed sign-ins of one lock everybody out."
    : undefined;
}
