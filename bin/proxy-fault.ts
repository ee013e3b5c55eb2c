import type { Env } from "#lib/base/env.ts";

/** What is wrong with the addresses that this server takes its clients to have; undefined when nothing is. */
export function findProxyFault({ publicUrl, trustedProxies }: Env): string | undefined {
  return publicUrl.startsWith("https:") && trustedProxies === 0
    ? "PUBLIC_URL is an https URL, so clients come through a proxy, but TRUSTED_PROXIES is 0: all of them seem to have the proxy's address, and the failed sign-ins of one lock everybody out."
    : undefined;
}
