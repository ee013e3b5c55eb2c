import { and, eq, sql } from "drizzle-orm";
import type { ActorRef } from "#lib/base/actor.ts";
import { recordAudit } from "#lib/record/audit.ts";
import type { AuditAction } from "#lib/record/audit-actions.ts";
import type { ReadContext, RequestOrigin, WriteContext } from "#lib/base/context.ts";
import { toReadContext } from "#lib/base/context.ts";
import { SEND_DISABLED_REASONS } from "#lib/webhooks/delivery-states.ts";
import type { EndpointState, SwitchOffReason } from "#lib/webhooks/delivery-states.ts";
import { DomainError } from "#lib/base/errors.ts";
import { recordAccountEvents } from "#lib/record/events.ts";
import { newId } from "#lib/base/ids.ts";
import { readIntegratorAccounts } from "#lib/ledger/accounts.ts";
import { seal } from "#lib/base/seal.ts";
import { previousSecretsUntil } from "#lib/webhooks/internal/previous-secrets.ts";
import { newSigningSecret } from "#lib/webhooks/internal/signing-secret.ts";
import { wakeWorkers } from "#lib/base/wake.ts";
import { webhookEndpoints, webhookPreviousSecrets } from "#db/schema/webhooks.ts";
import { onCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** Where an integrator's notifications are sent, and the endpoint's health. */
export interface Endpoint {
  webhookUrl: string | null;
  state: EndpointState;
  switchedOffAt: Date | null;
  switchedOffReason: SwitchOffReason | null;
  /** The first failure since the last success; null while the endpoint works. */
  failingSince: Date | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** Until when the secret that was rotated out last also signs. */
  previousSecretUntil: Date | null;
}

/**
 * How many rows a change to the endpoint rewrites immediately. Further pending rows stay correct without it:
 * each attempt reads the address, and the worker stops deliveries that come due while notifications are off.
 */
const REWRITTEN_MAX = 10_000;

/** The integrator's current endpoint. */
export async function getEndpoint(ctx: ReadContext): Promise<Endpoint> {
  const [row] = await ctx.db
    .select({
      webhookUrl: webhookEndpoints.url,
      switchedOffAt: webhookEndpoints.switchedOffAt,
      switchedOffReason: webhookEndpoints.switchedOffReason,
      failingSince: webhookEndpoints.failingSince,
      lastSuccessAt: webhookEndpoints.lastSuccessAt,
      lastFailureAt: webhookEndpoints.lastFailureAt,
      previousSecretUntil: previousSecretsUntil(sql`${webhookEndpoints.id}`).mapWith(
        webhookPreviousSecrets.createdAt,
      ),
    })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.integratorId, ctx.actor.integratorId));
  return row ? { ...row, state: toState(row.webhookUrl, row.switchedOffAt) } : NEVER_SET;
}

/** The endpoint of an integrator that has never had an address. */
const NEVER_SET: Endpoint = {
  webhookUrl: null,
  state: "off",
  switchedOffAt: null,
  switchedOffReason: null,
  failingSince: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  previousSecretUntil: null,
};

function toState(webhookUrl: string | null, switchedOffAt: Date | null): EndpointState {
  if (webhookUrl === null) {
    return "off";
  }
  return switchedOffAt ? "switched_off" : "on";
}

/**
 * Requires that notifications are on.
 * @throws DomainError `webhook_url_missing`, `notifications_switched_off`.
 */
export async function requireNotifications(ctx: ReadContext): Promise<void> {
  const { state } = await getEndpoint(ctx);
  const disabledReason = SEND_DISABLED_REASONS[state];
  if (disabledReason !== null) {
    const code = state === "off" ? "webhook_url_missing" : "notifications_switched_off";
    throw new DomainError(code, disabledReason);
  }
}

/** Creates the integrator's endpoint if it has none, and locks it until the transaction ends. */
export async function lockEndpoint(tx: Tx, integratorId: string): Promise<{ secret: string }> {
  await tx
    .insert(webhookEndpoints)
    .values({
      id: integratorId,
      integratorId,
      secret: seal(newSigningSecret(), "signing secret", integratorId),
    })
    .onConflictDoNothing();
  const [row] = await tx
    .select({ secret: webhookEndpoints.secret })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.integratorId, integratorId))
    .for("no key update");
  if (!row) {
    throw new Error(`The endpoint of integrator ${integratorId} could not be created.`);
  }
  return row;
}

/**
 * Applies a change of the account's `webhook_url`. Pending deliveries are attempted at the new address
 * immediately, with their retries restarted and the same secret; without an address they stop.
 */
export async function followWebhookUrl(
  tx: Tx,
  integratorId: string,
  webhookUrl: string | null,
): Promise<void> {
  await lockEndpoint(tx, integratorId);
  await tx
    .update(webhookEndpoints)
    .set({ url: webhookUrl })
    .where(eq(webhookEndpoints.integratorId, integratorId));
  if (webhookUrl === null) {
    await stopPending(tx, integratorId);
    return;
  }
  await clearHealth(tx, integratorId);
  await tx.execute(sql`
    update webhook_deliveries d
    set due_at = date_trunc('milliseconds', statement_timestamp()), locked_by = null, failures = 0
    where d.ctid = any(array(
      select p.ctid from webhook_deliveries p
      where p.endpoint_id = ${integratorId} and p.state = 'pending'
      order by p.due_at limit ${REWRITTEN_MAX}
    ))`);
  onCommit(tx, wakeWorkers);
}

/**
 * Turns notifications back on after we switched them off. Missed events are not resent automatically; see
 * `recoverDeliveries`. Does nothing while notifications are on.
 * @throws DomainError `webhook_url_missing`.
 */
export async function enableNotifications(ctx: WriteContext): Promise<Endpoint> {
  const { tx, actor } = ctx;
  await lockEndpoint(tx, actor.integratorId);
  const before = await getEndpoint(toReadContext(ctx));
  if (before.state === "off") {
    throw new DomainError("webhook_url_missing", "This account has no webhook URL. Set one first.");
  }
  if (before.state === "on") {
    return before;
  }
  await clearHealth(tx, actor.integratorId);
  onCommit(tx, wakeWorkers);
  await audit(ctx, "webhooks.enabled", {
    before: { state: before.state, reason: before.switchedOffReason },
    after: { state: "on" },
  });
  return getEndpoint(toReadContext(ctx));
}

/**
 * Sends a fixed sample to the integrator's address, as its own event.
 * @returns the event's id, which is also its delivery's.
 * @throws DomainError `webhook_url_missing`, `notifications_switched_off`.
 */
export async function sendTest(ctx: WriteContext): Promise<string> {
  const { tx, actor, request } = ctx;
  // Nobody switches notifications off between the check and the event, which would then have no delivery.
  await lockEndpoint(tx, actor.integratorId);
  await requireNotifications(toReadContext(ctx));
  const integrator = await readIntegratorAccounts(tx, actor.integratorId);
  const [id] = await recordAccountEvents(tx, integrator, [
    toTestEvent(actor.integratorId, { actor: actor.ref, requestId: request.id }),
  ]);
  if (!id) {
    throw new Error("A test notification was not recorded.");
  }
  await audit(ctx, "webhooks.tested", { before: null, after: { delivery: id } });
  return id;
}

/** The sample in every test notification. */
export function toTestEvent(integratorId: string, by: { actor: ActorRef; requestId: string }) {
  return {
    ...by,
    event: "webhook.test",
    subject: { type: "account", id: integratorId },
    data: { message: "This is a test. Nothing happened to your cards or your float." },
  } as const;
}

/** Switches an endpoint off, for the worker. The caller must hold the lock on its row. */
export async function switchOff(
  tx: Tx,
  endpointId: string,
  reason: SwitchOffReason,
): Promise<void> {
  const [switched] = await tx
    .update(webhookEndpoints)
    .set({ switchedOffAt: sql`clock_timestamp()`, switchedOffReason: reason })
    .where(and(eq(webhookEndpoints.id, endpointId), sql`${webhookEndpoints.switchedOffAt} is null`))
    .returning({ integratorId: webhookEndpoints.integratorId });
  if (!switched) {
    return;
  }
  await stopPending(tx, endpointId);
  const { integratorId } = switched;
  const request: RequestOrigin = { id: newId(), address: null, agent: null };
  await recordAudit(tx, integratorId, [
    {
      actor: { type: "system", id: null, name: "Webhooks" },
      request,
      action: "webhooks.switched-off",
      targetType: "account",
      targetId: integratorId,
      before: { state: "on" },
      after: { state: "switched_off", reason },
    },
  ]);
}

async function stopPending(tx: Tx, integratorId: string): Promise<void> {
  await tx.execute(sql`
    update webhook_deliveries d set state = 'stopped', locked_by = null
    where d.ctid = any(array(
      select p.ctid from webhook_deliveries p
      where p.endpoint_id = ${integratorId} and p.state = 'pending'
      order by p.due_at limit ${REWRITTEN_MAX}
    ))`);
}

async function clearHealth(tx: Tx, integratorId: string): Promise<void> {
  await tx
    .update(webhookEndpoints)
    .set({ switchedOffAt: null, switchedOffReason: null, failingSince: null })
    .where(eq(webhookEndpoints.integratorId, integratorId));
}

function audit(
  ctx: WriteContext,
  action: AuditAction,
  change: Record<"before" | "after", Readonly<Record<string, unknown>> | null>,
): Promise<void> {
  const { actor, request, tx } = ctx;
  return recordAudit(tx, actor.integratorId, [
    {
      ...change,
      actor: actor.ref,
      request,
      action,
      targetType: "account",
      targetId: actor.integratorId,
    },
  ]);
}
