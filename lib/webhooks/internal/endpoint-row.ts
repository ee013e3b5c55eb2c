import { and, eq, isNull, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { seal } from "#lib/base/seal.ts";
import { wakeWorkers } from "#lib/base/wake.ts";
import { newSigningSecret } from "#lib/webhooks/internal/signing-secret.ts";
import { DUE_NOW, webhookEndpoints } from "#db/schema/webhooks.ts";
import { onCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/**
 * How many rows a change to the endpoint rewrites immediately. Further pending rows stay correct without it:
 * each attempt reads the address, and the worker stops deliveries that come due while the endpoint is off.
 */
const REWRITTEN_MAX = 10_000;

/** An endpoint's row, whose lock the transaction holds. */
export type EndpointRow = typeof webhookEndpoints.$inferSelect;

/**
 * Locks an endpoint until the transaction ends. The first one, whose id is the integrator's, is created if it is
 * missing.
 * @throws DomainError `endpoint_not_found`, also for another integrator's.
 */
export async function lockEndpoint(
  tx: Tx,
  integratorId: string,
  endpointId: string = integratorId,
): Promise<EndpointRow> {
  if (!isId(endpointId)) {
    throw notFound("endpoint_not_found");
  }
  if (endpointId === integratorId) {
    const secret = seal(newSigningSecret(), "signing secret", endpointId);
    await tx
      .insert(webhookEndpoints)
      .values({ id: endpointId, integratorId, secret })
      .onConflictDoNothing();
  }
  const [row] = await tx
    .select()
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.integratorId, integratorId),
        eq(webhookEndpoints.id, endpointId),
        isNull(webhookEndpoints.deletedAt),
      ),
    )
    .for("no key update");
  if (!row) {
    throw notFound("endpoint_not_found");
  }
  return row;
}

/**
 * The id of one of the integrator's endpoints, as an SQL value; null if the integrator has no such endpoint. So a
 * statement never matches another integrator's deliveries, whatever id the caller passes.
 */
export function ownEndpoint(integratorId: string, endpointId: string): SQL<string> {
  return sql<string>`(
    select own.id from webhook_endpoints own
    where own.integrator_id = ${integratorId}::uuid and own.id = ${endpointId}::uuid and own.deleted_at is null)`;
}

/** Sends the endpoint's pending deliveries to its new address immediately, with their retries restarted. */
export async function restartPending(tx: Tx, { id, integratorId }: OwnEndpoint): Promise<void> {
  await clearHealth(tx, { id, integratorId });
  await tx.execute(sql`
    update webhook_deliveries d
    set due_at = ${DUE_NOW}, locked_by = null, failures = 0
    where d.ctid = any(array(
      select p.ctid from webhook_deliveries p
      where p.endpoint_id = ${ownEndpoint(integratorId, id)} and p.state = 'pending'
      order by p.due_at limit ${REWRITTEN_MAX}
    ))`);
  onCommit(tx, wakeWorkers);
}

/** Stops the endpoint's pending deliveries. */
export async function stopPending(tx: Tx, { id, integratorId }: OwnEndpoint): Promise<void> {
  await tx.execute(sql`
    update webhook_deliveries d set state = 'stopped', locked_by = null
    where d.ctid = any(array(
      select p.ctid from webhook_deliveries p
      where p.endpoint_id = ${ownEndpoint(integratorId, id)} and p.state = 'pending'
      order by p.due_at limit ${REWRITTEN_MAX}
    ))`);
}

/** Forgets since when the endpoint has been failing, and that it was switched off. */
export async function clearHealth(tx: Tx, { id, integratorId }: OwnEndpoint): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ switchedOffAt: null, switchedOffReason: null, failingSince: null })
    .where(and(eq(webhookEndpoints.integratorId, integratorId), eq(webhookEndpoints.id, id)));
}

/** An endpoint that the transaction has locked. */
type OwnEndpoint = Pick<EndpointRow, "id" | "integratorId">;
