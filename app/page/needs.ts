import { cache } from "react";
import { requireStaffPage } from "./staff-page.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { listNeeds } from "#lib/overview/needs.ts";

/** What needs the signed-in person, read once for the list and for its count in the side bar. */
export const findNeeds = cache(async () => {
  const session = await requireStaffPage();
  const { actor, timeZone, clockOffsetS } = session;
  return readAs(session, (ctx) =>
    listNeeds(ctx, {
      timeZone,
      clock: { clockOffsetS },
      mendsWebhooks: actor.scopes.has("webhooks:write"),
    }),
  );
});
