import { and, eq, sql } from "drizzle-orm";
import { readMoment } from "#lib/base/moment.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { auditEndpoint } from "#lib/webhooks/internal/audit-endpoint.ts";
import { lockEndpoint } from "#lib/webhooks/internal/endpoint-row.ts";
import { DomainError } from "#lib/base/errors.ts";
import { seal, unseal } from "#lib/base/seal.ts";
import { newSigningSecret } from "#lib/webhooks/internal/signing-secret.ts";
import { PREVIOUS_MAX, previousSecretsOf } from "#lib/webhooks/internal/previous-secrets.ts";
import { webhookEndpoints, webhookPreviousSecrets } from "#db/schema/webhooks.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * Rotates the signing secret of an endpoint; without an id, of the first. The old secret keeps signing alongside the
 * new one for 24 hours, so that receivers can switch.
 * @returns the new secret, `whsec_…`.
 * @throws DomainError `endpoint_not_found`, `signing_secrets_exhausted`.
 */
export async function rotateSigningSecret(
  ctx: WriteContext,
  endpointId: string = ctx.actor.integratorId,
): Promise<string> {
  const { tx, actor } = ctx;
  const { integratorId } = actor;
  const { secret: sealed } = await lockEndpoint(tx, integratorId, endpointId);
  await refuseBeyondMax(tx, endpointId);
  const secret = newSigningSecret();
  await tx
    .insert(webhookPreviousSecrets)
    .values({ endpointId, id: (await readMoment(tx)).newId(), secret: sealed });
  await tx
    .update(webhookEndpoints)
    .set({ secret: seal(secret, "signing secret", endpointId) })
    .where(
      and(eq(webhookEndpoints.integratorId, integratorId), eq(webhookEndpoints.id, endpointId)),
    );
  await auditEndpoint(ctx, "webhooks.secret-rotated", { endpointId });
  return secret;
}

/**
 * Refuses to rotate while too many secrets sign: dropping one of them could drop the only one that a receiver knows.
 * The caller has locked the endpoint.
 */
async function refuseBeyondMax(tx: Tx, endpointId: string): Promise<void> {
  const [row] = await tx.execute<{ count: number }>(
    sql`select cardinality(${previousSecretsOf(sql`${endpointId}::uuid`)}) as count`,
  );
  if ((row?.count ?? 0) >= PREVIOUS_MAX) {
    throw new DomainError(
      "signing_secrets_exhausted",
      `The signing secret was rotated ${PREVIOUS_MAX} times within 24 hours, and each secret still signs. Wait until one has expired.`,
    );
  }
}

/**
 * Returns the current signing secret of an endpoint; without an id, of the first. Each call is audited. The caller must
 * check that the actor is an owner who signed in recently.
 * @throws DomainError `endpoint_not_found`.
 */
export async function revealSigningSecret(
  ctx: WriteContext,
  endpointId: string = ctx.actor.integratorId,
): Promise<string> {
  const { tx, actor } = ctx;
  const { secret } = await lockEndpoint(tx, actor.integratorId, endpointId);
  await auditEndpoint(ctx, "webhooks.secret-revealed", { endpointId });
  return unseal(secret, "signing secret", endpointId);
}
