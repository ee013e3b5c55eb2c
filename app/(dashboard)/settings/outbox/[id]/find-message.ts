import { cache } from "react";
import { requireStaffPage } from "../../../../page/staff-page.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { findMessage as find } from "#lib/messages/message-reads.ts";

/** Read once for the page and its title. Undefined for one that the person may not read. */
export const findMessage = cache(async (id: string) => {
  const session = await requireStaffPage();
  return readAs(session, (ctx) => find(ctx, id));
});
