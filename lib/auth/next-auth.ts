import type { NextAuthOptions, Profile, User } from "next-auth";
import type { OAuthConfig, UserinfoEndpointHandler } from "next-auth/providers/oauth";
import credentialsProvider from "next-auth/providers/credentials";
import { z } from "zod";
import { toOwnPath } from "#lib/auth/own-path.ts";
import { isSecure, sessionCookieName, sessionSecret } from "#lib/auth/session.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { env } from "#lib/base/env.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { newId } from "#lib/base/ids.ts";
import { log } from "#lib/base/log.ts";
import { signIn, signInVouched } from "#lib/staff/sign-in.ts";
import { endSession, SESSION_HOURS_MAX } from "#lib/staff/staff-sessions.ts";
import { database } from "#db/client.ts";

/** A signed-in person on the way into the cookie: nothing but the token of their session. */
interface Entrant extends User {
  sessionToken: string;
}

type ProviderAnswer = Parameters<NonNullable<UserinfoEndpointHandler["request"]>>[0];

/** Whatever was sent is a try: what is no text, or too long for anybody's, is an empty one. */
const typed = (max: number) => z.string().max(max).catch("");
const credentialsSchema = z
  .object({ email: typed(255), password: typed(255), code: typed(32) })
  .catch({ email: "", password: "", code: "" });

const claimsSchema = z.looseObject({ sub: z.string() });

const AGENT_MAX = 255;

/** next-auth keeps the cookie and speaks OpenID Connect; who may sign in, and for how long, is decided by us. */
export function toAuthOptions(request: Request): NextAuthOptions {
  const origin = toOrigin(request);
  return {
    secret: sessionSecret(),
    session: { strategy: "jwt", maxAge: SESSION_HOURS_MAX * 60 * 60 },
    pages: { signIn: "/sign-in", error: "/sign-in", signOut: "/sign-in" },
    cookies: {
      sessionToken: {
        name: sessionCookieName(),
        options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure() },
      },
    },
    providers: [toCredentials(origin), ...toOpenId()],
    callbacks: {
      signIn: ({ user, account, profile }) => {
        if (account?.provider === "credentials") {
          return true;
        }
        return admitVouched(user, profile, origin);
      },
      redirect: ({ url, baseUrl }) => `${baseUrl}${toOwnPath(url)}`,
      jwt: ({ token, user }) => {
        // At sign-in there is a user; from then on, whatever the types say, the cookie holds what it held.
        const entrant: Partial<Entrant> = { ...user };
        return { sessionToken: entrant.sessionToken ?? token["sessionToken"] };
      },
      // What the browser may read of it: nothing.
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token["sessionToken"] === "string") {
          await endSession(database(), token["sessionToken"]);
        }
      },
    },
    logger: {
      error: (code, cause) => {
        const { message } = cause instanceof Error ? cause : cause.error;
        log.warn({ code, reason: message }, "A sign-in failed.");
      },
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

function toOrigin(request: Request): RequestOrigin {
  return {
    id: newId(),
    // The server itself has set it (bin/edge/forward.ts).
    address: request.headers.get("x-forwarded-for"),
    agent: request.headers.get("user-agent")?.slice(0, AGENT_MAX) ?? null,
  };
}

function toCredentials(request: RequestOrigin) {
  return credentialsProvider({
    name: "Password",
    credentials: { email: {}, password: {}, code: {} },
    authorize: async (given): Promise<Entrant | null> => {
      const { email, password, code } = credentialsSchema.parse(given);
      try {
        const outcome = await signIn(database(), {
          email,
          password,
          code: code === "" ? null : code,
          request,
        });
        if (outcome.signedIn) {
          return { id: "staff", sessionToken: outcome.token };
        }
        if (outcome.reason === "refused") {
          return null;
        }
        throw new Error(
          outcome.reason === "throttled" ? `throttled:${outcome.waitS}` : outcome.reason,
        );
      } catch (error) {
        throw new Error(toReason(error), { cause: error });
      }
    },
  });
}

/** What the sign-in page is told: a word of ours, never the text of an error. */
function toReason(error: unknown): string {
  if (error instanceof Error && /^(?:code_required|throttled:[0-9]+)$/u.test(error.message)) {
    return error.message;
  }
  if (isDomainError(error)) {
    return "overloaded";
  }
  log.error({ err: error }, "A sign-in failed in a way nothing expected.");
  return "unavailable";
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
      // Who it is, is decided by the callback below, from the claims themselves.
      profile: () => ({ id: "staff" }),
    },
  ];
}

/**
 * What the provider says about a person. With an access token the standard has it answer the email at its userinfo
 * endpoint (OpenID Connect Core 5.4); some put it into the ID token all the same.
 */
async function readClaims({ client, tokens }: ProviderAnswer): Promise<Profile> {
  const [, payload = ""] = (tokens.id_token ?? "").split(".");
  // Its signature, issuer, audience and nonce have been checked: that is how the tokens came here.
  const claims = claimsSchema.parse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
  if ("email" in claims || !client.issuer.metadata.userinfo_endpoint) {
    return claims;
  }
  const answered = await client.userinfo(tokens.access_token ?? "");
  if (answered.sub !== claims.sub) {
    throw new Error("The provider's userinfo is of somebody else than its ID token.");
  }
  return { ...answered };
}

/** An email counts only when the provider says that it has been verified. */
async function admitVouched(
  user: Partial<Entrant>,
  profile: Profile | undefined,
  request: RequestOrigin,
): Promise<boolean> {
  const claims: Record<string, unknown> = profile ? { ...profile } : {};
  const isVerified = typeof claims["email"] === "string" && claims["email_verified"] === true;
  const token = isVerified
    ? await signInVouched(database(), String(claims["email"]), request)
    : undefined;
  if (token === undefined) {
    log.warn(
      {
        reason: isVerified
          ? "nobody here is vouched for with this email"
          : "the email is not verified",
      },
      "A sign-in by the identity provider was refused.",
    );
  }
  user.sessionToken = token ?? "";
  return token !== undefined;
}
