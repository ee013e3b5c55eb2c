import { eq } from "drizzle-orm";
import { OPERATOR } from "#lib/base/actor.ts";
import type { RequestOrigin } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { updateSettings } from "#lib/integrators/integrators.ts";
import { integrators } from "#db/schema/integrators.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * Ends the rule that moves of an integrator need a second person, for when no second person is left who could approve
 * its end. Requests that wait can still be decided.
 * @throws DomainError `integrator_not_found`.
 */
export async function endApprovals(
  tx: Tx,
  request: RequestOrigin,
  integratorId: string,
): Promise<void> {
  const [row] = isId(integratorId)
    ? await tx
        .select({ id: integrators.id })
        .from(integrators)
        .where(eq(integrators.id, integratorId))
    : [];
  if (!row) {
    throw notFound("integrator_not_found");
  }
  const actor = { integratorId, ref: OPERATOR };
  await updateSettings({ tx, request, actor, clearance: { upTo: null } }, { approval: null });
}
