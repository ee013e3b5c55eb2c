import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import type { SQL, SQLWrapper } from "drizzle-orm";
import type { EventName } from "#lib/record/event-catalog.ts";
import { mergePersonal, personalOf } from "#lib/record/personal-values.ts";
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
  /** The cardholder's values to merge into `content`, as JSON; null when there are none. */
  personal: string | null;
}

/** The events of card transactions. Their narrative is read from the transaction. */
export const TRANSACTION_EVENTS: ReadonlySet<string> = new Set<EventName>([
  "card.transaction",
  "card.transaction-declined",
  "card.reverse-transaction",
]);

const TRANSACTION_NAMES = sql.raw([...TRANSACTION_EVENTS].map((name) => `'${name}'`).join(", "));

/** The cardholder's values in an event, as JSON: the narrative of its transaction, or else the event's own values. */
export function personalOfEvent(
  event: Record<"integratorId" | "id" | "event" | "content", SQLWrapper>,
): SQL<string | null> {
  return sql<string | null>`case when ${event.event} in (${TRANSACTION_NAMES}) then (
      select json_build_object('data', json_build_object('narrative', told.narrative))::text from transactions told
      where told.integrator_id = ${event.integratorId}
        and told.id = (${event.content}::json #>> '{data,reference}')::uuid and told.narrative is not null
    ) else ${personalOf(event)} end`;
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
  personal: personalOfEvent(events),
} as const;

/** The body of an event's notification: the same bytes each time. */
export function toEventBody(stored: StoredEvent): string {
  const { integratorId, event } = stored;
  const content = toWholeContent(stored);
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

/** The content with the cardholder's values merged into it. */
function toWholeContent({ content, personal }: StoredEvent): string {
  if (personal === null) {
    return content;
  }
  const kept: Record<string, unknown> = JSON.parse(content);
  return JSON.stringify(mergePersonal(kept, JSON.parse(personal)));
}

/**
 * The checksum that older integrations verify: upper-case hex HMAC-SHA256 of `event|data`, keyed with the integrator's
 * id. The data is JSON with sorted members. The checksum proves little, because the key is not secret; receivers should
 * verify the signature header instead.
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
