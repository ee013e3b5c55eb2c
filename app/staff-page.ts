import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { findPageSession } from "#lib/auth/page-session.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** The signed-in person, looked up once a page; undefined where there is none. */
export const findStaff = cache(async (): Promise<StaffSession | undefined> =>
  findPageSession((await headers()).get("cookie")),
);

/** The signed-in person. Anyone else is redirected to sign in, or to set up the required second factor. */
export async function requireStaffPage(): Promise<StaffSession> {
  const session = await findStaff();
  if (!session) {
    redirect("/sign-in");
  }
  if (session.actor.staff.mustEnroll) {
    redirect("/second-factor");
  }
  return session;
}
