import type { ReactNode } from "react";
import { SandboxStripe } from "../ui/sandbox-stripe.tsx";
import { Wordmark } from "../ui/wordmark.tsx";
import { env } from "#lib/base/env.ts";

/** Pages for people who are not signed in: one narrow column. */
export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      {env().environment === "sandbox" && <SandboxStripe />}
      <main className="mx-auto flex w-full max-w-md flex-1 flex-col gap-6 px-4 py-10 sm:justify-center sm:py-16">
        <Wordmark />
        <noscript>
          <p className="border-border bg-surface rounded-lg border px-4 py-3">
            JavaScript is off. This page needs it.
          </p>
        </noscript>
        <div className="contents">{children}</div>
      </main>
    </div>
  );
}
