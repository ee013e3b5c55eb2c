import type { ReactNode } from "react";
import { MadeFor } from "../client/made-for.tsx";
import { requireStaffPage } from "./staff-page.ts";
import type { StaffSession } from "#lib/staff/staff-sessions.ts";

/**
 * A page of the signed-in person. Its payload names that person, so that a document made for someone else does not
 * show it. Anyone else is redirected first.
 */
export function personalPage<Props>(
  show: (session: StaffSession, props: Props) => Promise<ReactNode>,
) {
  return async function PersonalPage(props: Props) {
    const session = await requireStaffPage();
    return <MadeFor staffId={session.actor.staff.id}>{await show(session, props)}</MadeFor>;
  };
}
