import type { NextAuthOptions, Profile, User } from "next-auth";
import type { OAuthConfig, UserinfoEndpointHandler } from "next-auth/providers/oauth";
import credentialsProvider from "next-auth/providers/credentials";
import { z } from "zod";
import { toOwnPath } from "#lib/auth/own-path.ts";
import {
  decodeSession,
  encodeSession,
  endSessionByCookies,
  isSecure,
  sessionCookieName,
} from "#lib/auth/session.ts";
import { toSignInReason } from "#lib/auth/internal/sign-in-reason.ts";
import { findSignInSecret } from "#lib/auth/internal/sign-in-secret.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { env } from "#lib/base/env.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { findKnownBrowser, toBrowserCookie } from "#lib/auth/internal/known-browser.ts";
import type { BrowserCookie } from "#lib/auth/internal/known-browser.ts";
import { signIn, signInVouched } from "#lib/staff/sign-in.ts";
import type { KnownBrowser, SignedIn } from "#lib/staff/sign-in.ts";
import { endSession, SESSION_HOURS_MAX } from "#lib/staff/staff-sessions.ts";
import { database } from "#db/client.ts";

/** A signed-in person about to get a cookie, which holds the token of their session and their id. */
interface SignedInUser extends User {
  sessionToken: string;
  staffId: string;
}

type ProviderAnswer = Parameters<NonNullable<UserinfoEndpointHandler["request"]>>[0];

/** Any input is an attempt: a value that is not text, or longer than any valid one, becomes empty. */
const typed = (max: number) => z.string().max(max).catch("");
const credentialsSchema = z
  .object({ email: typed(255), password: typed(255), code: typed(32) })
  .catch({ email: "", password: "", code: "" });

const claimsSchema = z.looseObject({ sub: z.string() });

const AGENT_MAX = 255;
const REASON_MAX = 200;

/**
 * next-auth manages the cookie and speaks OpenID Connect. We decide who may sign in, and for how long.
 * @param jar sets a further cookie with the response: the one that makes the browser a known one.
 */
export function toAuthOptions(
  request: Request,
  jar: { set: (cookie: BrowserCookie) => unknown },
): NextAuthOptions {
  const origin = toOrigin(request);
  const cookies = request.headers.get("cookie");
  const browser: Browser = {
    origin,
    find: () => findKnownBrowser(cookies),
    endSession: () => endSessionByCookies(database(), cookies),
  };
  return {
    secret: findSignInSecret(request),
    jwt: { encode: encodeSession, decode: decodeSession },
    session: { strategy: "jwt", maxAge: SESSION_HOURS_MAX * 60 * 60 },
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/sign-in" },
    cookies: {
      sessionToken: {
        name: sessionCookieName(),
        options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure() },
      },
    },
    providers: [toCredentials(browser), ...toOpenId()],
    callbacks: {
      signIn: ({ user, account, profile }) => {
        if (account?.provider === "credentials") {
          return true;
        }
        return admitFromProvider(user, profile, browser);
      },
      redirect: ({ url, baseUrl }) => `${baseUrl}${toOwnPath(url)}`,
      jwt: ({ token, user }) => {
        // Despite its type, `user` is present only at sign-in. Afterward, the cookie keeps its content.
        const signedIn: Partial<SignedInUser> = { ...user };
        return {
          sessionToken: signedIn.sessionToken ?? token["sessionToken"],
          staffId: signedIn.staffId ?? token["staffId"],
        };
      },
      // What pages may read of the session: the id that they send to the API (`Staff-Id`).
      session: ({ session, token }) => ({ expires: session.expires, staffId: token["staffId"] }),
    },
    events: {
      signIn: async ({ user }) => {
        const { staffId }: Partial<SignedInUser> = user;
        if (staffId) {
          jar.set(await toBrowserCookie(await browser.find(), staffId));
        }
      },
      signOut: async ({ token }) => {
        if (typeof token["sessionToken"] === "string") {
          await endSession(database(), token["sessionToken"]);
        }
      },
    },
    logger: {
      error: (code, cause) => {
        const { message } = cause instanceof Error ? cause : cause.error;
        // Truncated: the message quotes the provider's answer, which arrives through the browser and may be anything.
        log.warn({ code, reason: message.slice(0, REASON_MAX) }, "A sign-in failed.");
      },
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

/** The browser from which somebody signs in. */
interface Browser {
  origin: RequestOrigin;
  find: () => Promise<KnownBrowser | null>;
  /** Ends the session in the browser's cookie: once a new session replaces the cookie, nobody could end the old one. */
  endSession: () => Promise<void>;
}

function toOrigin(request: Request): RequestOrigin {
  return {
    id: newId(),
    // The server itself sets this header (bin/edge/forward.ts).
    address: request.headers.get("x-forwarded-for"),
    agent: request.headers.get("user-agent")?.slice(0, AGENT_MAX) ?? null,
  };
}

function toCredentials({ origin: request, find, endSession: endEarlier }: Browser) {
  return credentialsProvider({
    name: "Password",
    credentials: { email: {}, password: {}, code: {} },
    authorize: async (given): Promise<SignedInUser | null> => {
      const { email, password, code } = credentialsSchema.parse(given);
      try {
        const outcome = await signIn(database(), {
          email,
          password,
          code: code === "" ? null : code,
          request,
          browser: await find(),
        });
        if (outcome.signedIn) {
          await endEarlier();
          return { id: "staff", sessionToken: outcome.token, staffId: outcome.staffId };
        }
        if (outcome.reason === "refused") {
          return null;
        }
        throw new Error(
          outcome.reason === "throttled" ? `throttled:${outcome.waitS}` : outcome.reason,
        );
      } catch (error) {
        throw new Error(toSignInReason(error, request), { cause: error });
      }
    },
  });
}

function toOpenId(): OAuthConfig<Record<string, unknown>>[] {
  const { openId } = env();
  if (!openId) {
    return [];
  }
  return [
    {
      id: "openid",
      name: new URL(openId.issuer).host,
      type: "oauth",
      wellKnown: `${openId.issuer.replace(/\/$/u, "")}/.well-known/openid-configuration`,
      clientId: openId.clientId,
      clientSecret: openId.clientSecret,
      authorization: { params: { scope: "openid email" } },
      idToken: true,
      userinfo: { request: readClaims },
      checks: ["pkce", "state", "nonce"],
      // The callback below identifies the person from the claims themselves.
      profile: () => ({ id: "staff" }),
    },
  ];
}

/**
 * The provider's claims about a person. With an access token, the standard returns the email from the
 * userinfo endpoint (OpenID Connect Core 5.4), but some providers put it into the ID token.
 */
async function readClaims({ client, tokens }: ProviderAnswer): Promise<Profile> {
  const [, payload = ""] = (tokens.id_token ?? "").split(".");
  // The signature, issuer, audience, and nonce have been checked: next-auth does that before it hands us the
  // tokens.
  const claims = claimsSchema.parse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
  if ("email" in claims || !client.issuer.metadata.userinfo_endpoint) {
    return claims;
  }
  const answered = await client.userinfo(tokens.access_token ?? "");
  if (answered.sub !== claims.sub) {
    throw new Error("The provider's userinfo and ID token identify different people.");
  }
  return { ...answered };
}

/** An email counts only when the provider says it is verified. */
async function admitFromProvider(
  user: Partial<SignedInUser>,
  profile: Profile | undefined,
  browser: Browser,
): Promise<boolean> {
  const claims: Record<string, unknown> = profile ? { ...profile } : {};
  const isVerified = typeof claims["email"] === "string" && claims["email_verified"] === true;
  const signedIn = isVerified ? await enterVouched(String(claims["email"]), browser) : undefined;
  if (!signedIn) {
    log.warn(
      {
        reason: isVerified ? "no vouched staff member has this email" : "the email is not verified",
      },
      "A sign-in through the identity provider was refused.",
    );
  }
  user.sessionToken = signedIn?.token ?? "";
  user.staffId = signedIn?.staffId ?? "";
  return signedIn !== undefined;
}

/** @throws Error with the reason that the sign-in page shows. */
async function enterVouched(
  email: string,
  { origin: request, find, endSession: endEarlier }: Browser,
): Promise<SignedIn | undefined> {
  try {
    const signedIn = await signInVouched(database(), email, { request, browser: await find() });
    if (signedIn) {
      await endEarlier();
    }
    return signedIn;
  } catch (error) {
    throw new Error(toSignInReason(error, request), { cause: error });
  }
}
