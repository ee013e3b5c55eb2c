import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import type { ActorRef } from "#lib/base/actor.ts";
import { toMoment } from "#lib/base/ids.ts";
import type { Moment } from "#lib/base/ids.ts";
import { STATEMENT_MICROS } from "#lib/base/moment.ts";
import { wakeWorkers } from "#lib/base/wake.ts";
import { markCommit, onCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** Every event that an integrator can be notified of, and when it is recorded. */
export const EVENTS = {
  "card.created": "A card was created.",
  "card.frozen": "A card was frozen.",
  "card.unfrozen": "A card was unfrozen.",
  "card.closed": "A card was closed permanently.",
  "card.credited": "Funds moved from the float to a card.",
  "card.debited": "Funds moved from a card to the float.",
  "card.transaction": "A purchase or authorization was approved, or an authorization was captured.",
  "card.reverse-transaction":
    "A purchase was refunded, or a hold was released by a reversal or at its expiry.",
  "card.transaction-declined": "A purchase or authorization was declined.",
  "float.topped-up": "Funds were added to the float.",
  "float.low-balance": "The float fell below the account's threshold.",
  "float.recovered": "The float is back at or above the account's threshold.",
  "integrator.updated": "Account information or settings changed.",
  "user.kyc-verification": "A cardholder was registered.",
  "webhook.test": "A test event was requested.",
} as const;

export type EventName = keyof typeof EVENTS;
export type SubjectType = "card" | "float" | "account" | "cardholder";

/** The properties of an integrator that an event's envelope contains. */
export interface EventSource {
  integratorId: string;
  environment: "sandbox" | "live";
  apiVersion: string;
}

/** An event about to be recorded. `data` and `previous` use wire spelling. */
export interface EventDraft {
  event: EventName;
  subject: { type: SubjectType; id: string };
  actor: ActorRef;
  requestId: string;
  data: Readonly<Record<string, unknown>>;
  previous?: Readonly<Record<string, unknown>>;
  /** The transfer this event reports. Every transfer has one. */
  transferId?: string;
}

/**
 * Records events in the transaction of the change, and numbers them per subject. The caller must have locked or inserted
 * the subjects' rows: their counters keep the numbers gapless. If the integrator has notifications enabled, each event's
 * delivery is written with it, and the commit wakes the worker of this process. Nothing else writes to the outbox.
 * @returns the ids of the events, in the order of the drafts.
 */
export async function recordEvents(
  tx: Tx,
  source: EventSource,
  drafts: readonly EventDraft[],
): Promise<string[]> {
  if (drafts.length === 0) {
    return [];
  }
  const rows = toRows(source, drafts, await takeSequences(tx, source.integratorId, drafts));
  await insertEvents(tx, source, rows);
  return rows.map(({ id }) => id);
}

/** Subjects whose rows this transaction has locked, with the sequence number of their last event. */
interface LockedSubjects extends Moment {
  byId: ReadonlyMap<string, { eventSequence: number }>;
}

/** Events with their sequence numbers, and the number of events of each subject, by the subject's id. */
export interface NumberedEvents {
  rows: readonly EventRow[];
  counts: ReadonlyMap<string, number>;
}

/**
 * Numbers events of locked accounts without a query, for `insertEvents`. The caller must advance the accounts' counters in
 * the same transaction.
 */
export function numberEvents(
  source: EventSource,
  accounts: LockedSubjects,
  drafts: readonly EventDraft[],
): NumberedEvents {
  const next = new Map(
    drafts.flatMap(({ subject }): [string, number][] => {
      const account = accounts.byId.get(subject.id);
      return account ? [[toSubjectKey(subject), account.eventSequence + 1]] : [];
    }),
  );
  const rows = toRows(source, drafts, { next, moment: accounts });
  return { rows, counts: countSubjects(drafts) };
}

interface EventRow {
  id: string;
  draft: EventDraft;
  sequence: number;
  at: Date;
  body: string;
}

function toRows(
  source: EventSource,
  drafts: readonly EventDraft[],
  { next, moment }: Sequences,
): EventRow[] {
  return drafts.map((draft): EventRow => {
    const subject = toSubjectKey(draft.subject);
    const sequence = next.get(subject);
    if (sequence === undefined) {
      throw new Error(`The subject of ${draft.event} does not exist: ${draft.subject.id}`);
    }
    next.set(subject, sequence + 1);
    const own = { id: moment.newId(), sequence, at: moment.at };
    return { ...own, draft, body: toBody(source, draft, own) };
  });
}

/** Writes numbered events and their deliveries. See `recordEvents`. */
export async function insertEvents(
  tx: Tx,
  source: EventSource,
  rows: readonly EventRow[],
): Promise<void> {
  if (rows.length === 0) {
    return;
  }
  const [first] = rows;
  markCommit(
    tx,
    sql`exists (select from events where integrator_id = ${source.integratorId} and id = ${first?.id})`,
  );
  const column = <T>(read: (row: EventRow) => T) => sql.param(rows.map(read));
  const toDeliver = await tx.execute(sql`
    with recorded as (
      insert into events (integrator_id, api_version, id, event, subject_type, subject_id, sequence, transfer_id, body,
        created_at)
      select ${source.integratorId}::uuid, ${source.apiVersion}, row.id, row.event, row.subject_type, row.subject_id,
        row.sequence, row.transfer_id, row.body, to_timestamp(row.at / 1000)
      from unnest(
        ${column((row) => row.id)}::uuid[],
        ${column((row) => row.draft.event)}::text[],
        ${column((row) => row.draft.subject.type)}::text[],
        ${column((row) => row.draft.subject.id)}::uuid[],
        ${column((row) => row.sequence)}::bigint[],
        ${column((row) => row.draft.transferId ?? null)}::uuid[],
        ${column((row) => row.body)}::text[],
        ${column((row) => row.at.getTime())}::float8[]
      ) as row (id, event, subject_type, subject_id, sequence, transfer_id, body, at)
      returning integrator_id, id, event, subject_type, subject_id
    )
    insert into webhook_deliveries (integrator_id, event_id, event, card_id, due_at)
    select r.integrator_id, r.id, r.event, case when r.subject_type = 'card' then r.subject_id end,
      date_trunc('milliseconds', statement_timestamp())
    from recorded r
    join integrators i on i.id = r.integrator_id and i.webhook_url is not null
    left join webhook_endpoints e on e.integrator_id = r.integrator_id
    where e.switched_off_at is null
    returning event_id`);
  if (toDeliver.length > 0) {
    onCommit(tx, wakeWorkers);
  }
}

/** The next sequence number of each subject, and the moment at which all of them were locked. */
interface Sequences {
  next: Map<string, number>;
  moment: Moment;
}

/** The table that holds each subject's event counter. */
const COUNTER_TABLES = {
  card: sql`ledger_accounts`,
  float: sql`ledger_accounts`,
  cardholder: sql`cardholders`,
  account: sql`integrators`,
} satisfies Record<SubjectType, unknown>;

async function takeSequences(
  tx: Tx,
  integratorId: string,
  drafts: readonly EventDraft[],
): Promise<Sequences> {
  const draftsByType = Map.groupBy(drafts, ({ subject }) => subject.type);
  const next = new Map<string, number>();
  let micros = Number.NaN;
  for (const [type, ofType] of draftsByType) {
    const counts = countSubjects(ofType);
    const owner = type === "account" ? sql`c.id` : sql`c.integrator_id`;
    const ids = sql.param([...counts.keys()]);
    const rows = await tx.execute<{ id: string; first: number; micros: number }>(sql`
      update ${COUNTER_TABLES[type]} c set event_sequence = c.event_sequence + drafted.count
      from unnest(${ids}::uuid[], ${sql.param([...counts.values()])}::bigint[])
        as drafted (id, count)
      where ${owner} = ${integratorId} and c.id = any(${ids}::uuid[]) and c.id = drafted.id
      returning c.id, (c.event_sequence - drafted.count + 1)::float8 as first,
        ${STATEMENT_MICROS} as micros`);
    for (const row of rows) {
      next.set(toSubjectKey({ type, id: row.id }), row.first);
      ({ micros } = row);
    }
  }
  return { next, moment: toMoment(micros) };
}

function countSubjects(drafts: readonly EventDraft[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { subject } of drafts) {
    counts.set(subject.id, (counts.get(subject.id) ?? 0) + 1);
  }
  return counts;
}

function toSubjectKey(subject: EventDraft["subject"]): string {
  return `${subject.type} ${subject.id}`;
}

function toBody(
  source: EventSource,
  draft: EventDraft,
  own: { id: string; sequence: number; at: Date },
): string {
  return JSON.stringify({
    id: own.id,
    event: draft.event,
    api_version: source.apiVersion,
    environment: source.environment,
    created_at: own.at.toISOString(),
    integrator_id: source.integratorId,
    subject: draft.subject,
    sequence: own.sequence,
    request_id: draft.requestId,
    actor: draft.actor,
    data: draft.data,
    previous: draft.previous ?? null,
    checksum: toChecksum(source.integratorId, draft),
  });
}

/**
 * The checksum that older integrations verify: upper-case hex HMAC-SHA256 of `event|data`, keyed with the integrator's id.
 * The data is JSON with sorted members. It proves little; receivers should verify the signature header instead.
 */
export function toChecksum(
  integratorId: string,
  { event, data }: Pick<EventDraft, "event" | "data">,
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
