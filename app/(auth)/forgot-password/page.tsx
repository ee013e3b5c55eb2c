import type { Metadata } from "next";
import { toGatePath } from "../../client/gate-path.ts";
import { AuthCard } from "../../ui/auth-card.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { toOwnPath } from "#lib/auth/own-path.ts";
import { env } from "#lib/base/env.ts";

export const metadata: Metadata = { title: "Forgot password" };

const COMMAND = "npm run floatdeck -- staff reset-password --email you@example.com";

interface Props {
  searchParams: Promise<{ callbackUrl?: string | string[] }>;
}

/** Says whom to ask for a new password, because no mail is sent. */
export default async function ForgotPasswordPage({ searchParams }: Props) {
  const target = toOwnPath((await searchParams).callbackUrl);
  return (
    <AuthCard
      description="Floatdeck doesn't email reset links. Someone on your team creates one for you."
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
      <LinkButton href={toGatePath("/sign-in", target)}>Back to sign in</LinkButton>
    </AuthCard>
  );
}
