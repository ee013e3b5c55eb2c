import type { IncomingHttpHeaders } from "node:http";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { DomainError } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { readMoment } from "#lib/base/moment.ts";
import { hashToken } from "#lib/base/one-time-token.ts";
import { toPrintable } from "#lib/base/printable.ts";
import { takeToken } from "#lib/base/rate.ts";
import { unseal } from "#lib/base/seal.ts";
import { isEventName } from "#lib/record/event-catalog.ts";
import { previousSecretsOf } from "#lib/webhooks/internal/previous-secrets.ts";
import { verifySignature } from "#lib/webhooks/internal/verify-signature.ts";
import type { Secrets } from "#lib/webhooks/internal/verify-signature.ts";
import { inboxNotifications, sandboxInboxes } from "#db/schema/inbox.ts";
import { webhookEndpoints } from "#db/schema/webhooks.ts";
import type { Db } from "#db/client.ts";
import { inTime, inUpkeep, markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** How many notifications an inbox keeps: the newest. */
const INBOX_KEPT_MAX = 100;

const RATE = { perSecond: 50, burst: 100 } as const;

/** The headers that an inbox keeps; the rest belongs to the connection, or to proxies on the way. */
const KEPT_HEADERS = [
  "content-type",
  "user-agent",
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
] as const;
const HEADER_LENGTH_MAX = 1_024;

/** An inbox that may receive a notification now. */
export interface OpenInbox {
  integratorId: string;
}

/**
 * Finds the inbox with this token, and counts a notification against its limit.
 * @throws DomainError `path_unknown`, `rate_limited`.
 */
export async function openInbox(db: Db, token: string): Promise<OpenInbox> {
  const tokenHash = hashToken(token);
  const [found] = await inTime(() =>
    db
      .select({ integratorId: sandboxInboxes.integratorId })
      .from(sandboxInboxes)
      .where(eq(sandboxInboxes.tokenHash, tokenHash)),
  );
  if (!found) {
    throw new DomainError("path_unknown", "There is no such inbox.");
  }
  if (!takeToken(`inbox ${found.integratorId}`, RATE).allowed) {
    throw new DomainError(
      "rate_limited",
      `An inbox accepts at most ${RATE.perSecond} notifications per second; wait a moment.`,
    );
  }
  return found;
}

/**
 * Keeps a notification with the verdict on its signature. Anyone who knows the address may send one, so nothing in it
 * is trusted. Notifications beyond the newest 100 are removed with the same commit.
 */
export function keepNotification(
  db: Db,
  { integratorId }: OpenInbox,
  { headers: given, body }: { headers: IncomingHttpHeaders; body: Buffer },
): Promise<void> {
  const headers = toKeptHeaders(given);
  const webhookId = headers["webhook-id"] ?? "";
  return inUpkeep(db, async (tx) => {
    const senders = await lockInbox(tx, integratorId);
    const { at, newId } = await readMoment(tx);
    const id = newId();
    await tx.insert(inboxNotifications).values({
      integratorId,
      id,
      event: toEventName(body),
      webhookId: isId(webhookId) ? webhookId : null,
      headers,
      body: toText(body),
      ...verify({ headers, body, at }, senders),
      createdAt: at,
    });
    markCommit(
      tx,
      sql`exists (select from inbox_notifications where integrator_id = ${integratorId} and id = ${id})`,
    );
    await removeOldest(tx, integratorId);
  });
}

/** An endpoint of the integrator, and the secrets that sign its notifications. */
interface Sender {
  endpointId: string;
  secrets: Secrets;
}

/** Locks the inbox until the transaction ends, so that it never exceeds its maximum. @returns the possible senders. */
async function lockInbox(tx: Tx, integratorId: string): Promise<Sender[]> {
  await tx
    .select({ id: sandboxInboxes.integratorId })
    .from(sandboxInboxes)
    .where(eq(sandboxInboxes.integratorId, integratorId))
    .for("no key update");
  const endpoints = await tx
    .select({
      id: webhookEndpoints.id,
      current: webhookEndpoints.secret,
      previous: previousSecretsOf(sql`${webhookEndpoints.id}`),
    })
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.integratorId, integratorId), isNull(webhookEndpoints.deletedAt)))
    .orderBy(asc(webhookEndpoints.id));
  return endpoints.map(({ id: endpointId, current, previous }) => {
    const open = (sealed: string) => unseal(sealed, "signing secret", endpointId);
    return { endpointId, secrets: { current: open(current), previous: previous.map(open) } };
  });
}

/** Returns the verdict for the endpoint that signed, or else for the first; a mismatch if there is no endpoint. */
function verify(arrived: Parameters<typeof verifySignature>[0], senders: readonly Sender[]) {
  const verdicts = senders.map(({ endpointId, secrets }) => {
    const verdict = verifySignature(arrived, secrets);
    return { ...verdict, endpointId: verdict.secret === null ? null : endpointId };
  });
  const unverified = { secret: null, fault: "signature_mismatch", endpointId: null } as const;
  return verdicts.find(({ secret }) => secret !== null) ?? verdicts[0] ?? unverified;
}

async function removeOldest(tx: Tx, integratorId: string): Promise<void> {
  await tx.delete(inboxNotifications).where(
    and(
      eq(inboxNotifications.integratorId, integratorId),
      sql`${inboxNotifications.id} <= (
        select id from inbox_notifications where integrator_id = ${integratorId}
        order by id desc offset ${INBOX_KEPT_MAX} limit 1)`,
    ),
  );
}

function toKeptHeaders(given: IncomingHttpHeaders): Record<string, string> {
  const kept = KEPT_HEADERS.flatMap((name) => {
    const value = given[name];
    return typeof value === "string" ? [[name, toPrintable(value, HEADER_LENGTH_MAX)]] : [];
  });
  return Object.fromEntries(kept);
}

function toEventName(body: Buffer): string | null {
  try {
    const named: unknown = Object(JSON.parse(body.toString("utf8"))).event;
    return typeof named === "string" && isEventName(named) ? named : null;
  } catch {
    return null;
  }
}

/** The database cannot store U+0000; bytes that are not UTF-8 decode to U+FFFD. */
function toText(body: Buffer): string {
  return body.toString("utf8").replaceAll("\0", "\u{fffd}");
}
