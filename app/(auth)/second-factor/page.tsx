import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { findStaff } from "../../staff-page.ts";
import { AuthCard } from "../../ui/auth-card.tsx";
import { Enrol } from "./enrol.tsx";

export const metadata: Metadata = { title: "Two-factor authentication" };

/** Where a person without a second factor is sent while the account requires one. */
export default async function SecondFactorPage() {
  const session = await findStaff();
  if (!session) {
    redirect("/sign-in");
  }
  if (!session.actor.staff.mustEnroll) {
    redirect("/overview");
  }
  return (
    <AuthCard
      description={`${session.businessName} requires two-factor authentication. Setup takes a minute with any authenticator app.`}
      title="Set up two-factor authentication"
    >
      <Enrol />
    </AuthCard>
  );
}
