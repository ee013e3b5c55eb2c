import { env } from "#lib/base/env.ts";

const HOME = "/overview";

/**
 * Where to go after signing in: always a path on this server. A path that a browser would read as another
 * site, such as `//evil.example`, redirects to the home page, and so does the front page.
 */
export function toOwnPath(given: unknown): string {
  const url = findOwnUrl(given);
  return url === undefined || /^\/(?:\/|$)/u.test(url.pathname)
    ? HOME
    : `${url.pathname}${url.search}`;
}

/** Whether next-auth can accept this as a target on this server; it fails on anything it cannot parse. */
export function isOwnTarget(given: unknown): boolean {
  return findOwnUrl(given) !== undefined;
}

/** A path, or an absolute URL on this server; undefined for anything else. */
function findOwnUrl(given: unknown): URL | undefined {
  const { origin } = new URL(env().publicUrl);
  if (typeof given !== "string" || !/^(?:https?:\/)?\//u.test(given)) {
    return undefined;
  }
  const url = URL.parse(given, origin);
  return url?.origin === origin ? url : undefined;
}
