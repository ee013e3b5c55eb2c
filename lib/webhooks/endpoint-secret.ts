import { eq, sql } from "drizzle-orm";
import { recordAudit } from "#lib/record/audit.ts";
import type { AuditAction } from "#lib/record/audit-actions.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { lockEndpoint } from "#lib/webhooks/endpoints.ts";
import { DomainError } from "#lib/base/errors.ts";
import { seal, unseal } from "#lib/base/seal.ts";
import { newSigningSecret } from "#lib/webhooks/signing-secret.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";

/** How long the previous secret keeps signing alongside the new one after a rotation. */
const PREVIOUS_SIGNS_HOURS = 24;

/**
 * Rotates the integrator's signing secret. The previous secret also signs for 24 hours, so that receivers can
 * switch.
 * @returns the new secret, `whsec_…`.
 */
export async function rotateSigningSecret(ctx: WriteContext): Promise<string> {
  const { tx, actor } = ctx;
  const { secret: previousSecret } = await lockEndpoint(tx, actor.integratorId);
  const secret = newSigningSecret();
  await tx
    .update(webhookEndpoints)
    .set({
      secret: seal(secret, "signing secret", actor.integratorId),
      previousSecret,
      previousUntil: sql`clock_timestamp() + make_interval(hours => ${PREVIOUS_SIGNS_HOURS})`,
    })
    .where(eq(webhookEndpoints.integratorId, actor.integratorId));
  await audit(ctx, "webhooks.secret-rotated");
  return secret;
}

/**
 * The current signing secret, for owners only; each access is audited. The caller must check that the owner
 * has signed in recently.
 * @throws DomainError `role_insufficient`.
 */
export async function revealSigningSecret(ctx: WriteContext): Promise<string> {
  const { tx, actor } = ctx;
  if (actor.staff?.role !== "owner") {
    throw new DomainError("role_insufficient", "Only owners can view the signing secret.");
  }
  const { secret } = await lockEndpoint(tx, actor.integratorId);
  await audit(ctx, "webhooks.secret-revealed");
  return unseal(secret, "signing secret", actor.integratorId);
}

function audit({ tx, actor, request }: WriteContext, action: AuditAction): Promise<void> {
  return recordAudit(tx, actor.integratorId, [
    {
      actor: actor.ref,
      request,
      action,
      targetType: "account",
      targetId: actor.integratorId,
      before: null,
      after: null,
    },
  ]);
}
