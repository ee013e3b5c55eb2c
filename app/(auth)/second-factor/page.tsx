import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { toGatePath } from "../../client/gate-path.ts";
import { MadeFor } from "../../client/made-for.tsx";
import { findStaff } from "../../page/staff-page.ts";
import { AuthCard } from "../../ui/auth-card.tsx";
import { Enrol } from "./enrol.tsx";
import { toOwnPath } from "#lib/auth/own-path.ts";

export const metadata: Metadata = { title: "Two-factor authentication" };

interface Props {
  searchParams: Promise<{ callbackUrl?: string | string[] }>;
}

/** Where a person without a second factor is sent while the account requires one. */
export default async function SecondFactorPage({ searchParams }: Props) {
  const target = toOwnPath((await searchParams).callbackUrl);
  const session = await findStaff();
  if (!session) {
    redirect(toGatePath("/sign-in", target));
  }
  const { mustEnroll, hasSecondFactor } = session.actor.staff;
  // A person who has just set up a second factor stays here: only this screen shows the recovery codes.
  if (!mustEnroll && !hasSecondFactor) {
    redirect(target);
  }
  return (
    <AuthCard
      description={`${session.businessName} requires two-factor authentication. Setup takes a minute with any authenticator app.`}
      title="Set up two-factor authentication"
    >
      <MadeFor staffId={session.actor.staff.id}>
        <Enrol isOn={hasSecondFactor} target={target} />
      </MadeFor>
    </AuthCard>
  );
}
