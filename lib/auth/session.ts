import { decode } from "next-auth/jwt";
import { env } from "#lib/base/env.ts";
import { deriveKey } from "#lib/base/seal.ts";
import { findSession } from "#lib/staff/staff-sessions.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import type { Db } from "#db/client.ts";

/** With https the browser itself keeps the cookie to this host and to https. */
export function sessionCookieName(): string {
  return isSecure() ? "__Host-floatdeck.session" : "floatdeck.session";
}

export function isSecure(): boolean {
  return env().publicUrl.startsWith("https://");
}

/** What the session cookie is encrypted with. */
export function sessionSecret(): string {
  return deriveKey("session cookie").toString("base64");
}

/** The session that the cookies of a request lead to; undefined where there is none, or it has ended. */
export async function findSessionByCookies(
  db: Db,
  cookies: string | null,
): Promise<StaffSession | undefined> {
  const token = await readSessionToken(cookies);
  return token === undefined ? undefined : findSession(db, token);
}

async function readSessionToken(cookies: string | null): Promise<string | undefined> {
  const sealed = readCookie(cookies, sessionCookieName());
  if (!sealed) {
    return undefined;
  }
  try {
    const claims = await decode({ token: sealed, secret: sessionSecret() });
    const token = claims?.["sessionToken"];
    return typeof token === "string" ? token : undefined;
  } catch {
    // Made with another secret, or by nobody of ours.
    return undefined;
  }
}

function readCookie(cookies: string | null, name: string): string | undefined {
  for (const pair of cookies?.split(";") ?? []) {
    const [found, value] = pair.trim().split("=", 2);
    if (found === name) {
      return value;
    }
  }
  return undefined;
}

/**
 * Whether a request comes from a page of this server, as its browser says: by `Sec-Fetch-Site`, or by `Origin` in those
 * that are too old for it.
 */
export function isOwnOrigin({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) {
    return site === "same-origin";
  }
  const origin = URL.parse(headers.get("origin") ?? "");
  const own = new URL(env().publicUrl);
  // By whichever of its names it was reached, but never without the encryption it is known with.
  return (
    origin !== null &&
    origin.protocol === own.protocol &&
    [own.host, headers.get("host")].includes(origin.host)
  );
}
