import { cache } from "react";
import { requireStaffPage } from "../../../../../page/staff-page.ts";
import { findAs } from "#lib/auth/page-session.ts";
import { getEndpointHealth } from "#lib/webhooks/endpoint-health.ts";
import { getEndpoint } from "#lib/webhooks/endpoints.ts";

/** Read once for the page and its title. Undefined for another integrator's, a deleted, and an unknown one. */
export const findEndpoint = cache(async (id: string) => {
  const session = await requireStaffPage();
  return findAs(session, "endpoint_not_found", async (ctx) =>
    getEndpointHealth(ctx, await getEndpoint(ctx, id)),
  );
});
