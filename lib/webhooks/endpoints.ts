import { and, asc, eq, isNull, sql } from "drizzle-orm";
import type { ActorRef } from "#lib/base/actor.ts";
import { endpointOff } from "#lib/messages/kinds/endpoint-off.ts";
import { tellStaff } from "#lib/messages/tell-staff.ts";
import { toEndpointFacts } from "#lib/webhooks/internal/tell-of-endpoint.ts";
import { recordAudit } from "#lib/record/audit.ts";
import { toReadContext } from "#lib/base/context.ts";
import type { ReadContext, RequestOrigin, WriteContext } from "#lib/base/context.ts";
import { toDeliveryId } from "#lib/record/delivery-ids.ts";
import { SEND_DISABLED_REASONS } from "#lib/webhooks/delivery-states.ts";
import type { EndpointState, SwitchOffReason } from "#lib/webhooks/delivery-states.ts";
import { DomainError, notFound } from "#lib/base/errors.ts";
import { recordAccountEvents } from "#lib/record/events.ts";
import { newId } from "#lib/base/ids.ts";
import { readIntegratorAccounts } from "#lib/ledger/accounts.ts";
import { auditEndpoint, nameEndpoint } from "#lib/webhooks/internal/audit-endpoint.ts";
import { openHeaders, redact } from "#lib/webhooks/internal/endpoint-headers.ts";
import type { Headers } from "#lib/webhooks/internal/endpoint-headers.ts";
import {
  clearHealth,
  lockEndpoint,
  restartPending,
  stopPending,
} from "#lib/webhooks/internal/endpoint-row.ts";
import { previousSecretsUntil } from "#lib/webhooks/internal/previous-secrets.ts";
import { wakeWorkers } from "#lib/base/wake.ts";
import type { EndpointFormat } from "#db/schema/endpoint-formats.ts";
import { webhookEndpoints, webhookPreviousSecrets } from "#db/schema/webhooks.ts";
import { onCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** Where notifications are sent, and the endpoint's health. */
export interface Endpoint {
  id: string;
  webhookUrl: string | null;
  /** The events that it receives; null for every event. */
  events: readonly string[] | null;
  /** Additional headers of each request. Their values are redacted. */
  headers: Headers;
  format: EndpointFormat;
  state: EndpointState;
  switchedOffAt: Date | null;
  switchedOffReason: SwitchOffReason | null;
  /** The first failure since the last success; null while the endpoint works. */
  failingSince: Date | null;
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** When the last secret that was rotated out stops signing; null when none signs. */
  previousSecretUntil: Date | null;
}

/** Lists the integrator's endpoints: first the account's own, then the others in the order of creation. */
export async function listEndpoints(ctx: ReadContext): Promise<[Endpoint, ...Endpoint[]]> {
  const { integratorId } = ctx.actor;
  const rows = await ctx.db
    .select({
      id: webhookEndpoints.id,
      webhookUrl: webhookEndpoints.url,
      events: webhookEndpoints.events,
      sealedHeaders: webhookEndpoints.headers,
      format: webhookEndpoints.format,
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
    .where(and(eq(webhookEndpoints.integratorId, integratorId), isNull(webhookEndpoints.deletedAt)))
    // Ids follow the order of creation, and the first one is the integrator's own.
    .orderBy(asc(webhookEndpoints.id));
  const endpoints = rows.map(({ sealedHeaders, ...row }) => ({
    ...row,
    headers: redact(openHeaders(sealedHeaders, row.id)),
    state: toState(row.webhookUrl, row.switchedOffAt),
  }));
  const [first, ...others] = endpoints;
  return first?.id === integratorId
    ? [first, ...others]
    : [{ id: integratorId, ...NEVER_SET }, ...endpoints];
}

/** The first endpoint of an integrator that has never had an address. */
const NEVER_SET: Omit<Endpoint, "id"> = {
  webhookUrl: null,
  events: null,
  headers: {},
  format: "event",
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
 * One endpoint of the integrator; without an id, the first.
 * @throws DomainError `endpoint_not_found`, also for another integrator's.
 */
export async function getEndpoint(ctx: ReadContext, id?: string): Promise<Endpoint> {
  const endpoints = await listEndpoints(ctx);
  const endpoint = endpoints.find((each) => each.id === (id ?? ctx.actor.integratorId));
  if (!endpoint) {
    throw notFound("endpoint_not_found");
  }
  return endpoint;
}

/**
 * Requires that the endpoint is on.
 * @throws DomainError `endpoint_not_found`, `webhook_url_missing`, `notifications_switched_off`.
 */
export async function requireNotifications(ctx: ReadContext, endpointId?: string): Promise<void> {
  const { state } = await getEndpoint(ctx, endpointId);
  const disabledReason = SEND_DISABLED_REASONS[state];
  if (disabledReason !== null) {
    const code = state === "off" ? "webhook_url_missing" : "notifications_switched_off";
    throw new DomainError(code, disabledReason);
  }
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
  const endpoint = await lockEndpoint(tx, integratorId);
  await tx
    .update(webhookEndpoints)
    .set({ url: webhookUrl })
    .where(
      and(eq(webhookEndpoints.integratorId, integratorId), eq(webhookEndpoints.id, endpoint.id)),
    );
  await (webhookUrl === null ? stopPending(tx, endpoint) : restartPending(tx, endpoint));
}

/**
 * Turns an endpoint back on after we switched it off. Missed events are not resent automatically; see
 * `recoverDeliveries`. Does nothing while the endpoint is on.
 * @throws DomainError `endpoint_not_found`, `webhook_url_missing`.
 */
export async function enableNotifications(
  ctx: WriteContext,
  endpointId: string = ctx.actor.integratorId,
): Promise<Endpoint> {
  const { tx, actor } = ctx;
  const endpoint = await lockEndpoint(tx, actor.integratorId, endpointId);
  const before = await getEndpoint(toReadContext(ctx), endpointId);
  if (before.state === "off") {
    throw new DomainError("webhook_url_missing", "This account has no webhook URL. Set one first.");
  }
  if (before.state === "on") {
    return before;
  }
  await clearHealth(tx, endpoint);
  onCommit(tx, wakeWorkers);
  await auditEndpoint(ctx, "webhooks.enabled", {
    endpointId,
    before: { state: before.state, reason: before.switchedOffReason },
    after: { state: "on" },
  });
  return getEndpoint(toReadContext(ctx), endpointId);
}

/**
 * Sends a fixed sample to one endpoint, as its own event.
 * @returns the delivery's id.
 * @throws DomainError `endpoint_not_found`, `webhook_url_missing`, `notifications_switched_off`.
 */
export async function sendTest(
  ctx: WriteContext,
  endpointId: string = ctx.actor.integratorId,
): Promise<string> {
  const { tx, actor } = ctx;
  const { integratorId } = actor;
  // The lock keeps notifications on until the event is recorded: without them, the event would get no delivery.
  await lockEndpoint(tx, integratorId, endpointId);
  await requireNotifications(toReadContext(ctx), endpointId);
  const eventId = await recordTest(ctx, endpointId);
  const delivery = toDeliveryId({ integratorId, endpointId, eventId });
  await auditEndpoint(ctx, "webhooks.tested", { endpointId, after: { delivery } });
  return delivery;
}

/** Records the sample as an event that only one endpoint gets. @returns the event's id. */
export async function recordTest(
  { tx, actor, request }: WriteContext,
  endpointId: string,
): Promise<string> {
  const integrator = await readIntegratorAccounts(tx, actor.integratorId);
  const [id] = await recordAccountEvents(tx, { ...integrator, endpointId }, [
    toTestEvent(actor.integratorId, { actor: actor.ref, requestId: request.id }),
  ]);
  if (!id) {
    throw new Error("A test notification was not recorded.");
  }
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
    .where(
      and(
        eq(webhookEndpoints.id, endpointId),
        isNull(webhookEndpoints.switchedOffAt),
        isNull(webhookEndpoints.deletedAt),
      ),
    )
    .returning({
      id: webhookEndpoints.id,
      integratorId: webhookEndpoints.integratorId,
      url: webhookEndpoints.url,
    });
  if (!switched) {
    return;
  }
  await stopPending(tx, switched);
  const request: RequestOrigin = { id: newId(), address: null, agent: null };
  const { integratorId } = switched;
  await recordAudit(tx, integratorId, [
    {
      actor: { type: "system", id: null, name: "Webhooks" },
      request,
      action: "webhooks.switched-off",
      targetType: "account",
      targetId: integratorId,
      before: { state: "on" },
      after: nameEndpoint(switched, { state: "switched_off", reason }),
    },
  ]);
  await tellStaff(tx, integratorId, {
    kind: endpointOff,
    facts: { ...toEndpointFacts(switched), isGone: reason === "gone" },
    personId: null,
    stateOf: switched.id,
  });
}
