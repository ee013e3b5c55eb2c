import { cache } from "react";
import { requireStaffPage } from "../../../../../page/staff-page.ts";
import { findAs } from "#lib/auth/page-session.ts";
import { getDelivery } from "#lib/webhooks/deliveries.ts";
import { getEndpoint } from "#lib/webhooks/endpoints.ts";

/** Read once for the page and its title. Undefined for another integrator's, an unknown one and a malformed id. */
export const findDelivery = cache(async (id: string) => {
  const session = await requireStaffPage();
  return findAs(session, "delivery_not_found", async (ctx) => {
    const found = await getDelivery(ctx, id);
    return { ...found, endpoint: await getEndpoint(ctx, found.delivery.endpointId) };
  });
});

/** A delivery and what is shown with it. */
export type FoundDelivery = NonNullable<Awaited<ReturnType<typeof findDelivery>>>;
