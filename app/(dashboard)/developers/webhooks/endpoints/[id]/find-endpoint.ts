import { cache } from "react";
import { requireStaffPage } from "../../../../../page/staff-page.ts";
import { readAs } from "#lib/auth/page-session.ts";
import { isDomainError } from "#lib/base/errors.ts";
import { getEndpointHealth } from "#lib/webhooks/endpoint-health.ts";

/** Read once for the page and its title. Undefined for another integrator's, a deleted, and an unknown one. */
export const findEndpoint = cache(async (id: string) => {
  const session = await requireStaffPage();
  try {
    return await readAs(session, (ctx) => getEndpointHealth(ctx, id));
  } catch (error) {
    if (isDomainError(error) && error.code === "endpoint_not_found") {
      return undefined;
    }
    throw error;
  }
});
