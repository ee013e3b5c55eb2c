import { recordAudit } from "#lib/record/audit.ts";
import type { AuditAction } from "#lib/record/audit-actions.ts";
import type { WriteContext } from "#lib/base/context.ts";

type Values = Readonly<Record<string, unknown>> | null;

/** Records what somebody did to an endpoint. */
export function auditEndpoint(
  { tx, actor, request }: WriteContext,
  action: AuditAction,
  change: { endpointId: string; before?: Values; after?: Values },
): Promise<void> {
  const { integratorId } = actor;
  const { endpointId, before = null, after = null } = change;
  return recordAudit(tx, integratorId, [
    {
      actor: actor.ref,
      request,
      action,
      targetType: "account",
      targetId: integratorId,
      before,
      after: nameEndpoint({ id: endpointId, integratorId }, after),
    },
  ]);
}

/** Adds the endpoint's id to an entry's `after`, except for the first endpoint, which is the account's. */
export function nameEndpoint(
  { id, integratorId }: { id: string; integratorId: string },
  after: Values,
): Values {
  return id === integratorId ? after : { ...after, endpoint: id };
}
