import { and, eq } from "drizzle-orm";
import { KEY_COLUMNS, lockActiveKey } from "#lib/access/api-keys.ts";
import type { ApiKey } from "#lib/access/api-keys.ts";
import { lockRule, toHeldTrust } from "#lib/approvals/second-person.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { recordAudit } from "#lib/record/audit.ts";
import { apiKeys } from "#db/schema/integrators.ts";

/**
 * Lets a key move funds without approval although it is newer than the rule, for example after a rotation. An exempted
 * key is left unchanged.
 * @throws HeldUp if somebody else must approve the exemption. DomainError `api_key_not_found`, `api_key_inactive`.
 */
export async function exemptApiKey(ctx: WriteContext, id: string): Promise<ApiKey> {
  const { tx, actor, request } = ctx;
  // Locks the account before the key, like all code that locks both, such as the announcement that a key expires.
  const rule = await lockRule(ctx);
  const { key, at: exemptedAt } = await lockActiveKey(ctx, id);
  if (key.exemptedAt !== null) {
    return key;
  }
  if (rule !== null && ctx.clearance === undefined) {
    throw toHeldTrust(ctx);
  }
  const [exempted] = await tx
    .update(apiKeys)
    .set({ exemptedAt })
    .where(and(eq(apiKeys.integratorId, actor.integratorId), eq(apiKeys.id, id)))
    .returning(KEY_COLUMNS);
  await recordAudit(tx, actor.integratorId, [
    {
      actor: actor.ref,
      request,
      action: "api_key.exempted",
      targetType: "api_key",
      targetId: id,
      before: { name: key.name },
      after: { exempted_at: exemptedAt.toISOString() },
    },
  ]);
  return exempted ?? key;
}
