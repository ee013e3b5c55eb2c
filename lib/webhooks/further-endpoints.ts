import { and, eq, isNull } from "drizzle-orm";
import { toReadContext } from "#lib/base/context.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { nowOf, readMoment } from "#lib/base/moment.ts";
import { seal } from "#lib/base/seal.ts";
import { keepsHeaders } from "#lib/base/webhook-headers.ts";
import { requireWebhookUrl } from "#lib/webhooks/endpoint-url.ts";
import { getEndpoint, recordTest } from "#lib/webhooks/endpoints.ts";
import type { Endpoint } from "#lib/webhooks/endpoints.ts";
import { auditEndpoint } from "#lib/webhooks/internal/audit-endpoint.ts";
import {
  changeHeaders,
  openHeaders,
  sealHeaders,
} from "#lib/webhooks/internal/endpoint-headers.ts";
import type { HeadersChange } from "#lib/webhooks/internal/endpoint-headers.ts";
import { lockEndpoint, restartPending, stopPending } from "#lib/webhooks/internal/endpoint-row.ts";
import type { EndpointRow } from "#lib/webhooks/internal/endpoint-row.ts";
import { newSigningSecret } from "#lib/webhooks/internal/signing-secret.ts";
import type { SelectableEvent } from "#lib/webhooks/selectable-events.ts";
import type { EndpointFormat } from "#db/schema/endpoint-formats.ts";
import { ENDPOINTS_MAX } from "#db/schema/endpoints-max.ts";
import { integrators } from "#db/schema/integrators.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";

/** The settings of a further endpoint, that is, any except the first. Unlike the first, it names its events. */
export interface FurtherEndpoint {
  webhookUrl: string;
  events: readonly SelectableEvent[];
  format: EndpointFormat;
  headers: HeadersChange;
}

/** Absent members stay as they are, and so do headers that the change does not name. */
export type EndpointChanges = {
  [Member in keyof FurtherEndpoint]?: FurtherEndpoint[Member] | undefined;
};

/**
 * Creates a further endpoint. It gets the events that are recorded from now on.
 * @returns the endpoint and its signing secret.
 * @throws DomainError `endpoints_exhausted`.
 */
export async function createEndpoint(
  ctx: WriteContext,
  { webhookUrl, events, format, headers }: FurtherEndpoint,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const { tx, actor } = ctx;
  const { integratorId } = actor;
  requireWebhookUrl(await lockAccount(ctx), webhookUrl);
  const place = await findPlace(ctx);
  const { at, newId } = await readMoment(tx);
  const id = newId();
  const secret = newSigningSecret();
  await tx.insert(webhookEndpoints).values({
    id,
    integratorId,
    place,
    url: webhookUrl,
    events: toNames(events),
    format,
    headers: sealHeaders(changeHeaders({}, headers), id),
    secret: seal(secret, "signing secret", id),
    createdAt: at,
  });
  const endpoint = await getEndpoint(toReadContext(ctx), id);
  await auditEndpoint(ctx, "webhooks.endpoint-created", {
    endpointId: id,
    after: toAudited(endpoint),
  });
  return { endpoint, secret };
}

/** Locks the account, so that two new endpoints do not take the same place. */
async function lockAccount({ tx, actor }: WriteContext): Promise<"sandbox" | "live"> {
  const [row] = await tx
    .select({ environment: integrators.environment })
    .from(integrators)
    .where(eq(integrators.id, actor.integratorId))
    .for("no key update");
  if (!row) {
    throw new Error(`Integrator ${actor.integratorId} does not exist.`);
  }
  return row.environment;
}

/** Finds the lowest free place. Place 1 is reserved for the account's own endpoint. */
async function findPlace({ tx, actor }: WriteContext): Promise<number> {
  const rows = await tx
    .select({ place: webhookEndpoints.place })
    .from(webhookEndpoints)
    .where(
      and(
        eq(webhookEndpoints.integratorId, actor.integratorId),
        isNull(webhookEndpoints.deletedAt),
      ),
    );
  const taken = new Set(rows.map(({ place }) => place));
  for (let place = 2; place <= ENDPOINTS_MAX; place += 1) {
    if (!taken.has(place)) {
      return place;
    }
  }
  throw new DomainError(
    "endpoints_exhausted",
    `An account may have ${ENDPOINTS_MAX} webhook endpoints, its webhook_url included. Delete one first.`,
  );
}

/** Explains, for pages, why an account with this many endpoints cannot have another one; null if it can. */
export function explainFull(count: number): string | null {
  return count < ENDPOINTS_MAX
    ? null
    : `An account may have ${ENDPOINTS_MAX} endpoints. Delete one first.`;
}

/** Each name once, in a fixed order. */
function toNames(events: readonly SelectableEvent[]): string[] {
  return [...new Set(events)].toSorted();
}

/**
 * Changes a further endpoint. When its URL changes, pending deliveries go to the new URL immediately, and so does a
 * test. If the new URL leads somewhere else (`keepsHeaders`), the endpoint loses its headers, except those that the
 * change sets.
 * @returns the endpoint, and the names of the headers that it lost.
 * @throws DomainError `endpoint_not_found`, `endpoint_is_first`.
 */
export async function updateEndpoint(
  ctx: WriteContext,
  id: string,
  { webhookUrl, events, format, headers = {} }: EndpointChanges,
): Promise<{ endpoint: Endpoint; droppedHeaders: string[] }> {
  const { tx, actor } = ctx;
  const environment = await lockAccount(ctx);
  const row = await lockFurther(ctx, id);
  requireWebhookUrl(environment, webhookUrl);
  const before = await getEndpoint(toReadContext(ctx), id);
  const url = webhookUrl ?? row.url ?? "";
  const { has, droppedHeaders } = moveHeaders(row, url, headers);
  await tx
    .update(webhookEndpoints)
    .set({
      url,
      events: events ? toNames(events) : row.events,
      format: format ?? row.format,
      headers: sealHeaders(has, id),
    })
    .where(and(eq(webhookEndpoints.integratorId, actor.integratorId), eq(webhookEndpoints.id, id)));
  if (webhookUrl !== undefined && webhookUrl !== row.url) {
    await restartPending(tx, row);
    await recordTest(ctx, id);
  }
  const after = await getEndpoint(toReadContext(ctx), id);
  await auditEndpoint(ctx, "webhooks.endpoint-updated", {
    endpointId: id,
    before: toAudited(before),
    after: {
      ...toAudited(after),
      ...(droppedHeaders.length > 0 ? { dropped_headers: droppedHeaders } : {}),
    },
  });
  return { endpoint: after, droppedHeaders };
}

/** Returns the headers that an endpoint has at its new URL, and the names of those that it loses. */
function moveHeaders(row: EndpointRow, url: string, change: HeadersChange) {
  const had = openHeaders(row.headers, row.id);
  const isMoved = !keepsHeaders(row.url ?? "", url);
  const has = changeHeaders(isMoved ? {} : had, change);
  const droppedHeaders = isMoved ? Object.keys(had).filter((name) => !(name in has)) : [];
  return { has, droppedHeaders };
}

/**
 * Deletes a further endpoint. Its pending deliveries are not sent, and none of its deliveries are shown any more.
 * @returns the endpoint as it was.
 * @throws DomainError `endpoint_not_found`, `endpoint_is_first`.
 */
export async function deleteEndpoint(ctx: WriteContext, id: string): Promise<Endpoint> {
  const { tx, actor } = ctx;
  const row = await lockFurther(ctx, id);
  const endpoint = await getEndpoint(toReadContext(ctx), id);
  await stopPending(tx, row);
  await tx
    .update(webhookEndpoints)
    .set({ url: null, headers: null, deletedAt: nowOf(tx) })
    .where(and(eq(webhookEndpoints.integratorId, actor.integratorId), eq(webhookEndpoints.id, id)));
  await auditEndpoint(ctx, "webhooks.endpoint-deleted", {
    endpointId: id,
    before: toAudited(endpoint),
  });
  return endpoint;
}

/** @throws DomainError `endpoint_not_found`, `endpoint_is_first`. */
async function lockFurther({ tx, actor }: WriteContext, id: string): Promise<EndpointRow> {
  if (id === actor.integratorId) {
    throw new DomainError(
      "endpoint_is_first",
      "The first endpoint is the account's webhook_url. Change it with PATCH /card-integrators/update.",
    );
  }
  return lockEndpoint(tx, actor.integratorId, id);
}

/** What the audit log says of an endpoint. */
function toAudited({ webhookUrl, events, format, headers }: Endpoint): Record<string, unknown> {
  return { webhook_url: webhookUrl, events, format, headers: Object.keys(headers) };
}
