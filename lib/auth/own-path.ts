import { env } from "#lib/base/env.ts";

const HOME = "/overview";

/**
 * Where to go after signing in: a path of this server, whatever was given. A path that a browser would read as another
 * site's, such as `//evil.example`, leads home; so does the front page.
 */
export function toOwnPath(given: unknown): string {
  const url = findOwnUrl(given);
  return url === undefined || /^\/(?:\/|$)/u.test(url.pathname)
    ? HOME
    : `${url.pathname}${url.search}`;
}

/** Whether next-auth can take this for an address of this server; it fails on what it cannot parse. */
export function isOwnTarget(given: unknown): boolean {
  return findOwnUrl(given) !== undefined;
}

/** A path, or the whole address of one here; undefined for anything else. */
function findOwnUrl(given: unknown): URL | undefined {
  const { origin } = new URL(env().publicUrl);
  if (typeof given !== "string" || !/^(?:https?:\/)?\//u.test(given)) {
    return undefined;
  }
  const url = URL.parse(given, origin);
  return url?.origin === origin ? url : undefined;
}
