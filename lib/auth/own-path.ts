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

/** The cookies of a request, and those of its response. */
interface Jar {
  getAll(): { name: string; value: string }[];
  delete(name: string): unknown;
}

/** next-auth answers 500 to a target it cannot parse, before any callback of ours sees it. */
export function replaceForeignTargets(query: URLSearchParams, jar: Jar): void {
  const target = query.get("callbackUrl");
  if (target !== null) {
    query.set("callbackUrl", toOwnPath(target));
  }
  for (const { name, value } of jar.getAll()) {
    if (name.endsWith("next-auth.callback-url") && findOwnUrl(value) === undefined) {
      jar.delete(name);
    }
  }
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
