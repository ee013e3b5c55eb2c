import type { Metadata } from "next";
import { toGatePath } from "../../client/gate-path.ts";
import { AuthCard } from "../../ui/auth-card.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { toOwnPath } from "#lib/auth/own-path.ts";
import { ForgotPasswordForm } from "./forgot-password-form.tsx";
import { env } from "#lib/base/env.ts";

export const metadata: Metadata = { title: "Forgot password" };

const COMMAND = "npm run floatdeck -- staff reset-password --email you@example.com";

interface Props {
  searchParams: Promise<{ callbackUrl?: string | string[] }>;
}

/** Mails a link to set a new password. If no mail is sent, says whom to ask for one. */
export default async function ForgotPasswordPage({ searchParams }: Props) {
  const signIn = toGatePath("/sign-in", toOwnPath((await searchParams).callbackUrl));
  const { mail, environment } = env();
  return mail || environment === "sandbox" ? (
    <AuthCard
      description="We'll email you a link with which you choose a new one."
      title="Forgot your password?"
    >
      <ForgotPasswordForm isKept={mail === undefined} />
      <LinkButton href={signIn}>Back to sign in</LinkButton>
    </AuthCard>
  ) : (
    <AskSomebody signIn={signIn} />
  );
}

function AskSomebody({ signIn }: { signIn: string }) {
  return (
    <AuthCard
      description="This server sends no mail. Someone on your team creates a link for you."
      title="Forgot your password?"
    >
      <ol className="flex list-decimal flex-col gap-3 pl-5">
        <li>
          Ask an owner or admin of your account to open <strong>Settings → Staff</strong> and create
          a password link for you. Owners and admins need a link from an owner.
        </li>
        <li>Open the link within a day and choose a new password. It works once.</li>
      </ol>
      <div className="border-separator flex flex-col gap-2 border-t pt-4">
        <p className="font-medium">Are you the only owner?</p>
        <p className="text-muted">{`Ask whoever runs the server at ${new URL(env().publicUrl).host}. After verifying who you are, they create the link with this command:`}</p>
        <code className="bg-default rounded-md px-2 py-1.5 font-mono text-xs break-words">
          {COMMAND}
        </code>
      </div>
      <LinkButton href={signIn}>Back to sign in</LinkButton>
    </AuthCard>
  );
}
