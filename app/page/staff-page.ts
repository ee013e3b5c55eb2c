import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { toGatePath } from "../client/gate-path.ts";
import { toOwnPath } from "#lib/auth/own-path.ts";
import { findPageSession, findReaderSession } from "#lib/auth/page-session.ts";
import { findPageTarget } from "#lib/base/page-request.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/** The signed-in person, looked up once per page; undefined if there is none. */
export const findStaff = cache(async (): Promise<StaffSession | undefined> =>
  findPageSession((await headers()).get("cookie")),
);

/** Like `findStaff`, for the documentation, which must be served even while the database is unavailable. */
export const findReader = cache(async (): Promise<StaffSession | undefined> =>
  findReaderSession((await headers()).get("cookie")),
);

/**
 * The signed-in person. Anyone else is redirected to sign in or to set up the required second factor, and returns to
 * the page afterward.
 */
export async function requireStaffPage(): Promise<StaffSession> {
  const session = await findStaff();
  const target = toOwnPath(findPageTarget());
  if (!session) {
    redirect(toGatePath("/sign-in", target));
  }
  if (session.actor.staff.mustEnroll) {
    redirect(toGatePath("/second-factor", target));
  }
  return session;
}
