import { and, desc, eq, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { toReadContext } from "#lib/base/context.ts";
import type { ReadContext, WriteContext } from "#lib/base/context.ts";
import { env } from "#lib/base/env.ts";
import type { DomainError } from "#lib/base/errors.ts";
import { newToken, hashToken } from "#lib/base/one-time-token.ts";
import { requireCursor, toPage } from "#lib/base/paging.ts";
import type { Page } from "#lib/base/paging.ts";
import { requireSandbox } from "#lib/base/sandbox.ts";
import { recordAudit } from "#lib/record/audit.ts";
import type { EventName } from "#lib/record/event-catalog.ts";
import { toDeliveryId } from "#lib/record/delivery-ids.ts";
import { hasBadPort } from "#lib/webhooks/bad-ports.ts";
import { endpointPolicy, refuseEndpointUrl } from "#lib/webhooks/endpoint-url.ts";
import { toInboxToken, toInboxUrl, toPolicyFor } from "#lib/webhooks/internal/inbox-address.ts";
import { inboxNotifications, sandboxInboxes } from "#db/schema/inbox.ts";
import { integrators } from "#db/schema/integrators.ts";
import { webhookDeliveries, webhookEndpoints } from "#db/schema/webhooks.ts";
import { inTime } from "#db/transaction.ts";

/** What an inbox received, with the verdict on its signature. */
export type InboxNotification = Omit<
  typeof inboxNotifications.$inferSelect,
  "integratorId" | "webhookId" | "endpointId"
> & {
  /** The integrator's delivery that the notification names; null when it names none. */
  deliveryId: string | null;
};

/** Which notifications to list. */
export interface InboxFilter {
  events?: readonly EventName[] | undefined;
  limit: number;
  cursor?: string | undefined;
  /** Cuts bodies after this many characters. */
  bodyMax?: number | undefined;
}

/**
 * Creates the integrator's inbox, or finds the one it has.
 * @returns its address.
 * @throws DomainError `sandbox_only`.
 */
export async function createInbox(ctx: WriteContext): Promise<string> {
  await requireSandbox(ctx);
  const { tx, actor, request } = ctx;
  const { integratorId } = actor;
  // The lock makes concurrent calls wait, and then find the inbox.
  await tx
    .select({ id: integrators.id })
    .from(integrators)
    .where(eq(integrators.id, integratorId))
    .for("no key update");
  const url = await findInboxUrl(toReadContext(ctx));
  if (url !== null) {
    return url;
  }
  const token = newToken();
  await tx.insert(sandboxInboxes).values({ integratorId, token, tokenHash: hashToken(token) });
  await recordAudit(tx, integratorId, [
    {
      actor: actor.ref,
      request,
      action: "webhooks.inbox-created",
      targetType: "account",
      targetId: integratorId,
      before: null,
      after: null,
    },
  ]);
  return toInboxUrl(env().publicUrl, token);
}

/** The address of the integrator's inbox; null when it has none. */
export async function findInboxUrl(ctx: ReadContext): Promise<string | null> {
  const [row] = await ctx.db
    .select({ token: sandboxInboxes.token })
    .from(sandboxInboxes)
    .where(eq(sandboxInboxes.integratorId, ctx.actor.integratorId));
  return row ? toInboxUrl(env().publicUrl, row.token) : null;
}

/** The notifications that the integrator's inbox received within a day, newest first. */
export async function listInboxNotifications(
  ctx: ReadContext,
  { events, limit, cursor: given, bodyMax }: InboxFilter,
): Promise<Page<InboxNotification>> {
  const { integratorId } = ctx.actor;
  const cursor = requireCursor(given);
  const { id, event, headers, body, secret, fault, createdAt } = inboxNotifications;
  // A notification that no secret verified is shown with the first endpoint's delivery.
  const sender = sql<string>`coalesce(${inboxNotifications.endpointId}, ${integratorId}::uuid)`;
  const rows = await ctx.db
    .select({
      id,
      event,
      headers,
      body: bodyMax === undefined ? body : sql<string>`left(${body}, ${bodyMax}::int)`,
      secret,
      fault,
      createdAt,
      endpointId: webhookDeliveries.endpointId,
      eventId: webhookDeliveries.eventId,
    })
    .from(inboxNotifications)
    .leftJoin(
      webhookDeliveries,
      and(
        eq(webhookDeliveries.endpointId, sender),
        eq(webhookDeliveries.eventId, inboxNotifications.webhookId),
      ),
    )
    .where(
      and(
        eq(inboxNotifications.integratorId, integratorId),
        events && inArray(inboxNotifications.event, [...events]),
        cursor ? lt(inboxNotifications.id, cursor) : undefined,
      ),
    )
    .orderBy(desc(inboxNotifications.id))
    .limit(limit + 1);
  const notifications = rows.map(({ endpointId, eventId, ...row }) => ({
    ...row,
    deliveryId:
      endpointId === null || eventId === null
        ? null
        : toDeliveryId({ integratorId, endpointId, eventId }),
  }));
  return toPage<InboxNotification>(notifications, limit, (row) => row.id);
}

/**
 * Judges a URL that an integrator is about to save, as `refuseEndpointUrl` does, with two exceptions: the integrator's
 * own inbox is always allowed, and so is a bad port that one of its endpoints already uses on the same host.
 * @returns the refusal, or null.
 */
export async function refuseWebhookUrl(
  ctx: ReadContext,
  url: string | null | undefined,
): Promise<DomainError | null> {
  const portInUse = typeof url === "string" && hasBadPort(url) && (await isInUse(ctx, url));
  const policy = { ...endpointPolicy(), portInUse };
  if (typeof url !== "string" || toInboxToken(env().publicUrl, url) === null) {
    return refuseEndpointUrl(url, policy);
  }
  const [own] = await inTime(() =>
    ctx.db
      .select({ tokenHash: sandboxInboxes.tokenHash })
      .from(sandboxInboxes)
      .where(eq(sandboxInboxes.integratorId, ctx.actor.integratorId)),
  );
  return refuseEndpointUrl(url, toPolicyFor(url, own?.tokenHash ?? null, policy));
}

async function isInUse({ db, actor }: ReadContext, url: string): Promise<boolean> {
  const rows = await inTime(() =>
    db
      .select({ url: webhookEndpoints.url })
      .from(webhookEndpoints)
      .where(
        and(
          eq(webhookEndpoints.integratorId, actor.integratorId),
          isNotNull(webhookEndpoints.lastSuccessAt),
          isNull(webhookEndpoints.deletedAt),
        ),
      ),
  );
  return rows.some((row) => URL.parse(row.url ?? "")?.host === URL.parse(url)?.host);
}
