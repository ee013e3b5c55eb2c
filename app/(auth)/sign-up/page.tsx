import type { Metadata } from "next";
import { Link } from "../../ui/link.tsx";
import { Missing } from "../../page/missing.tsx";
import { AuthCard } from "../../ui/auth-card.tsx";
import { SignUpForm } from "./sign-up-form.tsx";
import { listCountries } from "#lib/base/countries.ts";
import { env } from "#lib/base/env.ts";

export const metadata: Metadata = { title: "Create a sandbox account" };

/** Sign-up is open in the sandbox only; in live, an operator creates accounts. */
export default function SignUpPage() {
  if (env().environment !== "sandbox") {
    return <Missing back={{ href: "/sign-in", name: "Sign in" }} noun="page" />;
  }
  return (
    <>
      <AuthCard
        description="Get a test company with a float, an API key, and this dashboard. No real money is involved."
        title="Create a sandbox account"
      >
        <SignUpForm countries={listCountries()} />
      </AuthCard>
      <p className="text-muted text-center">
        Already have an account?{" "}
        <Link className="underlined-link" href="/sign-in">
          Sign in
        </Link>
      </p>
    </>
  );
}
