import { eq, sql } from "drizzle-orm";
import { recordAudit } from "#lib/record/audit.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { lockEndpoint } from "#lib/webhooks/endpoints.ts";
import { DomainError } from "#lib/base/errors.ts";
import { seal, unseal } from "#lib/base/seal.ts";
import { newSigningSecret } from "#lib/webhooks/signing-secret.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";

/** How long the secret before a rotation goes on signing beside the new one. */
const PREVIOUS_SIGNS_HOURS = 24;

/**
 * Gives the integrator a new signing secret. For 24 hours the one before signs too, so that receivers can change over.
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
 * The present signing secret, for an owner's eyes; that it was looked at is audited. Whether the owner has signed in
 * freshly is the caller's to ask.
 * @throws DomainError `role_insufficient`.
 */
export async function revealSigningSecret(ctx: WriteContext): Promise<string> {
  const { tx, actor } = ctx;
  if (actor.staff?.role !== "owner") {
    throw new DomainError("role_insufficient", "Only an owner of the account may see the secret.");
  }
  const { secret } = await lockEndpoint(tx, actor.integratorId);
  await audit(ctx, "webhooks.secret-revealed");
  return unseal(secret, "signing secret", actor.integratorId);
}

function audit({ tx, actor, request }: WriteContext, action: string): Promise<void> {
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
