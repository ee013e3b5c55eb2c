import { eq, sql } from "drizzle-orm";
import { readMoment } from "#lib/base/moment.ts";
import { recordAudit } from "#lib/record/audit.ts";
import type { AuditAction } from "#lib/record/audit-actions.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { lockEndpoint } from "#lib/webhooks/endpoints.ts";
import { DomainError } from "#lib/base/errors.ts";
import { seal, unseal } from "#lib/base/seal.ts";
import { newSigningSecret } from "#lib/webhooks/internal/signing-secret.ts";
import { PREVIOUS_MAX, previousSecretsOf } from "#lib/webhooks/internal/previous-secrets.ts";
import { webhookEndpoints, webhookPreviousSecrets } from "#db/schema/webhooks.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * Rotates the integrator's signing secret. Each secret that was rotated out also signs for 24 hours, so that receivers
 * can switch. The answer reveals the new secret, so among staff only an owner gets it.
 * @returns the new secret, `whsec_…`.
 * @throws DomainError `role_insufficient`, `signing_secrets_exhausted`.
 */
export async function rotateSigningSecret(ctx: WriteContext): Promise<string> {
  const { tx, actor } = ctx;
  if (actor.staff) {
    requireOwner(actor);
  }
  const { integratorId } = actor;
  const { secret: sealed } = await lockEndpoint(tx, integratorId);
  await refuseBeyondMax(tx, integratorId);
  const secret = newSigningSecret();
  await tx
    .insert(webhookPreviousSecrets)
    .values({ endpointId: integratorId, id: (await readMoment(tx)).newId(), secret: sealed });
  await tx
    .update(webhookEndpoints)
    .set({ secret: seal(secret, "signing secret", integratorId) })
    .where(eq(webhookEndpoints.integratorId, integratorId));
  await audit(ctx, "webhooks.secret-rotated");
  return secret;
}

/** Dropping one that still signs could drop the one that a receiver knows. The caller has locked the endpoint. */
async function refuseBeyondMax(tx: Tx, integratorId: string): Promise<void> {
  const [row] = await tx.execute<{ count: number }>(
    sql`select cardinality(${previousSecretsOf(sql`${integratorId}::uuid`)}) as count`,
  );
  if ((row?.count ?? 0) >= PREVIOUS_MAX) {
    throw new DomainError(
      "signing_secrets_exhausted",
      `The signing secret was rotated ${PREVIOUS_MAX} times within 24 hours, and each secret still signs. Wait until one has expired.`,
    );
  }
}

/**
 * The current signing secret, for owners only; each access is audited. The caller must check that the owner
 * has signed in recently.
 * @throws DomainError `role_insufficient`.
 */
export async function revealSigningSecret(ctx: WriteContext): Promise<string> {
  const { tx, actor } = ctx;
  requireOwner(actor);
  const { secret } = await lockEndpoint(tx, actor.integratorId);
  await audit(ctx, "webhooks.secret-revealed");
  return unseal(secret, "signing secret", actor.integratorId);
}

function requireOwner({ staff }: WriteContext["actor"]): void {
  if (staff?.role !== "owner") {
    throw new DomainError(
      "role_insufficient",
      "Only owners can view or rotate the signing secret.",
    );
  }
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
