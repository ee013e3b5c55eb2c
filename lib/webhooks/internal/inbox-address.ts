import { hashToken } from "#lib/base/one-time-token.ts";
import type { EndpointPolicy } from "#lib/webhooks/endpoint-url.ts";

/** Where inboxes are, below the server's public URL. */
const FOLDER = "/inbox/";

/** 256 random bits in base64url. */
const TOKEN = /^[\w-]{43}$/u;

/** The address of an inbox. */
export function toInboxUrl(publicUrl: string, token: string): string {
  return `${publicUrl}${FOLDER}${token}`;
}

/**
 * Reads the token from the address of an inbox on this server, spelled exactly as `toInboxUrl` writes it. Null for any
 * other text, even if it leads to the same inbox.
 */
export function toInboxToken(publicUrl: string, url: string): string | null {
  const prefix = toInboxUrl(publicUrl, "");
  const token = url.slice(prefix.length);
  return url.startsWith(prefix) && TOKEN.test(token) ? token : null;
}

/**
 * The policy for one URL of one integrator. PUBLIC_URL may lead to an address that is not public, such as loopback,
 * where webhooks may not go. The integrator's own inbox is the one exception: we made its whole URL, so nobody else
 * chooses the host, the port, or the path.
 * @param ownHash the hash of the token of the integrator's own inbox; null when it has none.
 */
export function toPolicyFor(
  url: string,
  ownHash: string | null,
  policy: EndpointPolicy,
): EndpointPolicy {
  const { environment, publicUrl } = policy;
  if (environment !== "sandbox" || publicUrl === undefined || ownHash === null) {
    return policy;
  }
  const token = toInboxToken(publicUrl, url);
  return token !== null && hashToken(token) === ownHash ? { ...policy, anyAddress: true } : policy;
}
