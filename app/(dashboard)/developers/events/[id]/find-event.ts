import { cache } from "react";
import { requireStaffPage } from "../../../../page/staff-page.ts";
import { toEventResource } from "#lib/api/wire/event.ts";
import { findAs } from "#lib/auth/page-session.ts";
import { readNames } from "#lib/record/names.ts";
import { getEvent } from "#lib/webhooks/event-reads.ts";

/** Read once for the page and its title. Undefined for another integrator's, an unknown one and a malformed id. */
export const findEvent = cache(async (id: string) => {
  const session = await requireStaffPage();
  return findAs(session, "event_not_found", async (ctx) => {
    const event = await getEvent(ctx, id);
    return {
      event,
      context: {
        names: await readNames(ctx, [toEventResource(event).subject]),
        currency: session.currency,
      },
    };
  });
});
