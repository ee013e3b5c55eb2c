import { createHash, timingSafeEqual } from "node:crypto";
import { readCookie, sessionSecrets } from "#lib/auth/session.ts";

/** next-auth's names for its CSRF cookie; the prefix depends on https. */
const FORM_COOKIES = ["__Host-next-auth.csrf-token", "next-auth.csrf-token"] as const;

/**
 * The secret with which a browser began to sign in; the first one for a browser that has not begun. next-auth knows one
 * secret at a time, but while secrets are rotated, two requests of one sign-in may reach servers that seal with
 * different ones.
 */
export function findSignInSecret({ headers }: Request): string {
  const [first, ...others] = sessionSecrets();
  const cookies = headers.get("cookie");
  const [token = "", hash = ""] = readFormCookie(cookies).split("|", 2);
  return others.find((secret) => matches(token, secret, hash)) ?? first;
}

function readFormCookie(cookies: string | null): string {
  const found = FORM_COOKIES.map((name) => readCookie(cookies, name)).find(Boolean) ?? "";
  return found.replaceAll(/%7C/giu, "|");
}

/** Whether this is the hash by which next-auth binds the CSRF token to the secret. */
function matches(token: string, secret: string, hash: string): boolean {
  const expected = createHash("sha256").update(`${token}${secret}`).digest();
  const given = Buffer.from(hash, "hex");
  return given.length === expected.length && timingSafeEqual(given, expected);
}
