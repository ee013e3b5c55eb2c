import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import { integrators } from "#db/schema/integrators.ts";

/** An event as it is stored, and its integrator's environment. */
export interface StoredEvent {
  id: string;
  event: string;
  apiVersion: string;
  environment: string;
  createdAt: Date;
  integratorId: string;
  subjectType: string;
  subjectId: string;
  sequence: number;
  content: string;
}

/** The columns to select for `toEventBody`. */
export const STORED_EVENT = {
  id: events.id,
  event: events.event,
  apiVersion: events.apiVersion,
  environment: sql<string>`(select ${integrators.environment} from ${integrators} where ${integrators.id} = ${events.integratorId})`,
  createdAt: events.createdAt,
  integratorId: events.integratorId,
  subjectType: events.subjectType,
  subjectId: events.subjectId,
  sequence: events.sequence,
  content: events.content,
} as const;

/** The body of an event's notification: the same bytes each time. */
export function toEventBody(stored: StoredEvent): string {
  const { integratorId, event, content } = stored;
  const envelope = JSON.stringify({
    id: stored.id,
    event,
    api_version: stored.apiVersion,
    environment: stored.environment,
    created_at: stored.createdAt.toISOString(),
    integrator_id: integratorId,
    subject: { type: stored.subjectType, id: stored.subjectId },
    sequence: stored.sequence,
  });
  const { data }: { data: unknown } = JSON.parse(content);
  const checksum = JSON.stringify({ checksum: toChecksum(integratorId, { event, data }) });
  return `${envelope.slice(0, -1)},${content.slice(1, -1)},${checksum.slice(1)}`;
}

/**
 * The checksum that older integrations verify: upper-case hex HMAC-SHA256 of `event|data`, keyed with the integrator's id.
 * The data is JSON with sorted members. It proves little; receivers should verify the signature header instead.
 */
export function toChecksum(
  integratorId: string,
  { event, data }: { event: string; data: unknown },
): string {
  return createHmac("sha256", integratorId)
    .update(`${event}|${JSON.stringify(sortMembers(data))}`)
    .digest("hex")
    .toUpperCase();
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(sortMembers);
  }
  if (value === null || typeof value !== "object") {
    return value;
  }
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sortMembers(member)]));
}
