import type { Metadata } from "next";
import { cookies } from "next/headers";
import { Link } from "../../ui/link.tsx";
import { redirect } from "next/navigation";
import { AuthCard } from "../../ui/auth-card.tsx";
import { findStaff } from "../../page/staff-page.ts";
import { SignInForm } from "./sign-in-form.tsx";
import { toOwnPath } from "#lib/auth/own-path.ts";
import { isSecure } from "#lib/auth/session.ts";
import { env } from "#lib/base/env.ts";

export const metadata: Metadata = { title: "Sign in" };

/** A parameter that appears twice is a list. */
interface Search {
  callbackUrl?: string | string[];
  error?: string | string[];
  email?: string | string[];
}

export default async function SignInPage({ searchParams }: { searchParams: Promise<Search> }) {
  const { callbackUrl, error, email } = await searchParams;
  const { openId, environment } = env();
  const target = toOwnPath(callbackUrl ?? (error === undefined ? undefined : await readTarget()));
  if (await findStaff()) {
    redirect(target);
  }
  return (
    <>
      <AuthCard title="Sign in">
        <SignInForm
          email={typeof email === "string" ? email : ""}
          failed={error === undefined ? null : String(error)}
          openIdHost={openId ? new URL(openId.issuer).host : null}
          target={target}
        />
      </AuthCard>
      {environment === "sandbox" && (
        <p className="text-muted text-center">
          New here?{" "}
          <Link className="underlined-link" href="/sign-up">
            Create a sandbox account
          </Link>
        </p>
      )}
      <p className="text-muted text-center">
        <Link className="underlined-link" href="/docs">
          Documentation
        </Link>
      </p>
    </>
  );
}

/** The page that was requested before a failed sign-in with the identity provider: next-auth keeps it in a cookie. */
async function readTarget(): Promise<string | undefined> {
  return (await cookies()).get(`${isSecure() ? "__Secure-" : ""}next-auth.callback-url`)?.value;
}
