import { decode, encode } from "next-auth/jwt";
import type { JWT, JWTEncodeParams } from "next-auth/jwt";
import { env } from "#lib/base/env.ts";
import { deriveKeys, mapBySecret } from "#lib/base/seal.ts";
import type { BySecret, Purpose } from "#lib/base/seal.ts";
import { endSession, findSession } from "#lib/staff/staff-sessions.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";
import type { Db } from "#db/client.ts";

/** With https, the name prefix makes the browser keep the cookie to this host and to https. */
export function sessionCookieName(): string {
  return isSecure() ? "__Host-floatdeck.session" : "floatdeck.session";
}

export function isSecure(): boolean {
  return env().publicUrl.startsWith("https://");
}

/** The secrets of the session cookie: the first one encrypts, and any of them decrypts. */
export function sessionSecrets(): BySecret<string> {
  return toCookieSecrets("session cookie");
}

/** The secrets of one kind of cookie. */
export function toCookieSecrets(purpose: Purpose): BySecret<string> {
  return mapBySecret(deriveKeys(purpose), (key) => key.toString("base64"));
}

/** Encrypts a session cookie with the first secret, whatever secret the sign-in began with. */
export function encodeSession(params: JWTEncodeParams): Promise<string> {
  return encode({ ...params, secret: sessionSecrets()[0] });
}

/** Reads a session cookie. @returns null when none of our secrets opens it, or it has expired. */
export function decodeSession({ token = "" }: { token?: string }): Promise<JWT | null> {
  return decodeWith(sessionSecrets(), token);
}

/** Reads an encrypted cookie. @returns null when none of these secrets opens it, or it has expired. */
export async function decodeWith(secrets: BySecret<string>, token: string): Promise<JWT | null> {
  for (const secret of secrets) {
    const claims = await decode({ token, secret }).catch(() => null);
    if (claims) {
      return claims;
    }
  }
  return null;
}

/** The session that a request's cookies identify; undefined when there is none or it has ended. */
export async function findSessionByCookies(
  db: Db,
  cookies: string | null,
): Promise<StaffSession | undefined> {
  const token = await readSessionToken(cookies);
  return token === undefined ? undefined : findSession(db, token);
}

/** Ends the session that a request's cookies identify, if there is one. */
export async function endSessionByCookies(db: Db, cookies: string | null): Promise<void> {
  const token = await readSessionToken(cookies);
  if (token !== undefined) {
    await endSession(db, token);
  }
}

async function readSessionToken(cookies: string | null): Promise<string | undefined> {
  const sealed = readCookie(cookies, sessionCookieName());
  if (!sealed) {
    return undefined;
  }
  const token = (await decodeSession({ token: sealed }))?.["sessionToken"];
  return typeof token === "string" ? token : undefined;
}

/** The value of a cookie. */
export function readCookie(cookies: string | null, name: string): string | undefined {
  for (const pair of cookies?.split(";") ?? []) {
    const [found, value] = pair.trim().split("=", 2);
    if (found === name) {
      return value;
    }
  }
  return undefined;
}

/**
 * Whether the browser says a request comes from a page of this server: by `Sec-Fetch-Site`, or by `Origin` in
 * browsers too old for it.
 */
export function isOwnOrigin({ headers }: Request): boolean {
  const site = headers.get("sec-fetch-site");
  if (site !== null) {
    return site === "same-origin";
  }
  const origin = URL.parse(headers.get("origin") ?? "");
  const own = new URL(env().publicUrl);
  // Any of the server's host names is accepted, but never plain HTTP when the server is known to use https.
  return (
    origin !== null &&
    origin.protocol === own.protocol &&
    [own.host, headers.get("host")].includes(origin.host)
  );
}
