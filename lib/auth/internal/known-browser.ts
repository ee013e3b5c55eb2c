import { randomUUID } from "node:crypto";
import { encode } from "next-auth/jwt";
import { z } from "zod";
import { decodeWith, isSecure, readCookie, toCookieSecrets } from "#lib/auth/session.ts";
import type { KnownBrowser } from "#lib/staff/sign-in.ts";

/** Browsers keep no cookie for longer than 400 days. */
const KEPT_S = 400 * 24 * 60 * 60;
/** How many people may share a browser; the one who signed in the longest ago is forgotten first. */
const PEOPLE_MAX = 8;

const browserSchema = z.object({ browser: z.string(), people: z.array(z.string()) });

/** A cookie to set. */
export interface BrowserCookie {
  name: string;
  value: string;
  httpOnly: true;
  sameSite: "lax";
  path: "/";
  secure: boolean;
  maxAge: number;
}

/** With https, the name prefix makes the browser keep the cookie to this host and to https. */
function cookieName(): string {
  return isSecure() ? "__Host-floatdeck.browser" : "floatdeck.browser";
}

/** The browser that a request comes from, if somebody has signed in with it before. */
export async function findKnownBrowser(cookies: string | null): Promise<KnownBrowser | null> {
  const token = readCookie(cookies, cookieName());
  const claims = token && (await decodeWith(toCookieSecrets("known browser"), token));
  const { data } = browserSchema.safeParse(claims);
  return data ? { id: data.browser, people: data.people } : null;
}

/**
 * The cookie that marks a browser as one with which this person has signed in. It is not a credential: it only keeps
 * failures elsewhere from delaying the person's sign-ins with this browser.
 */
export async function toBrowserCookie(
  known: KnownBrowser | null,
  staffId: string,
): Promise<BrowserCookie> {
  const others = known?.people.filter((id) => id !== staffId) ?? [];
  const value = await encode({
    token: {
      browser: known?.id ?? randomUUID(),
      people: [staffId, ...others].slice(0, PEOPLE_MAX),
    },
    secret: toCookieSecrets("known browser")[0],
    maxAge: KEPT_S,
  });
  return {
    name: cookieName(),
    value,
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure: isSecure(),
    maxAge: KEPT_S,
  };
}
