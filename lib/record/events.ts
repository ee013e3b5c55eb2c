import { sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import type { ActorRef } from "#lib/base/actor.ts";
import type { Moment } from "#lib/base/ids.ts";
import { STATEMENT_MICROS, toMomentOf } from "#lib/base/moment.ts";
import { findRequestSpan } from "#lib/base/tracing.ts";
import { tellOfEvents } from "#lib/messages/tell-of-events.ts";
import { isAboutPerson, insertPersonal, splitPersonal } from "#lib/record/personal-values.ts";
import type { PersonalRow } from "#lib/record/personal-values.ts";
import { TRANSACTION_EVENTS } from "#lib/record/event-body.ts";
import { wakeFeed, wakeWorkers } from "#lib/base/wake.ts";
import type { EventName } from "#lib/record/event-catalog.ts";
import { insertRows } from "#db/insert-rows.ts";
import { pipeline } from "#db/pipeline.ts";
import { DUE_NOW } from "#db/schema/webhooks.ts";
import { markCommit, onCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

export type SubjectType = "card" | "float" | "account" | "cardholder";

/** The integrator of an event, and the API version whose format the event uses. */
export interface EventSource {
  integratorId: string;
  apiVersion: string;
  /** The only endpoint to send to. If absent, the event goes to every endpoint that asks for it. */
  endpointId?: string;
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

/** Subjects whose rows this transaction has locked or created, with the sequence number of their last event. */
export interface EventSubjects extends Moment {
  byId: ReadonlyMap<string, { eventSequence: number }>;
}

/**
 * Records events and their deliveries to all enabled endpoints, in the transaction of the change, and numbers the
 * events per subject. The write that changes a subject must also advance its counter, by `countEvents`; the database
 * refuses a number that is missing or taken. The commit wakes the workers of this process and the requests that wait
 * for events. No other code writes events.
 * @returns the ids of the events, in the order of the drafts.
 */
export async function recordEvents(
  tx: Tx,
  source: EventSource,
  { subjects, drafts }: { subjects: EventSubjects; drafts: readonly EventDraft[] },
): Promise<string[]> {
  if (drafts.length === 0) {
    return [];
  }
  const rows = toRows(subjects, drafts);
  const { integratorId, apiVersion, endpointId } = source;
  const [first] = rows;
  markCommit(
    tx,
    sql`exists (select from events where integrator_id = ${integratorId} and id = ${first?.id})`,
  );
  const inserted = insertRows("events", rows, {
    integrator_id: ["uuid", () => integratorId],
    api_version: ["text", () => apiVersion],
    id: ["uuid", ({ id }) => id],
    event: ["text", ({ draft }) => draft.event],
    subject_type: ["text", ({ draft }) => draft.subject.type],
    subject_id: ["uuid", ({ draft }) => draft.subject.id],
    sequence: ["bigint", ({ sequence }) => sequence],
    transfer_id: ["uuid", ({ draft }) => draft.transferId ?? null],
    content: ["text", ({ content }) => content],
    created_at: ["timestamptz", ({ at }) => at],
  });
  const traced = toTracedParts(rows);
  const [toDeliver] = await pipeline([
    tx.execute(sql`
    with recorded as (
      ${inserted}
      returning integrator_id, id, event, subject_type, subject_id
    )
    insert into webhook_deliveries (endpoint_id, event_id, event, card_id, due_at${traced.column})
    select e.id, r.id, r.event, case when r.subject_type = 'card' then r.subject_id end,
      ${DUE_NOW}${traced.value}
    from recorded r
    join webhook_endpoints e on e.integrator_id = r.integrator_id and e.deleted_at is null
      and e.url is not null and e.switched_off_at is null
      and ${endpointId === undefined ? IS_ASKED_FOR : sql`e.id = ${endpointId}`}
    ${traced.join}
    returning event_id`),
    insertPersonal(tx, integratorId, rows.map(toPersonalRow)),
  ]);
  await tellOfEvents(tx, integratorId, drafts);
  onCommit(tx, () => wakeFeed(integratorId));
  if (toDeliver.length > 0) {
    onCommit(tx, wakeWorkers);
  }
  return rows.map(({ id }) => id);
}

/**
 * The parts of the statement that store the spans of traced requests. If no request is traced, they are empty and the
 * statement stays the usual one.
 */
function toTracedParts(rows: readonly EventRow[]): Record<"column" | "value" | "join", SQL> {
  const traced = rows.flatMap(({ id, draft }) => {
    const span = findRequestSpan(draft.requestId);
    return span ? [{ id, traceparent: span.traceparent }] : [];
  });
  if (traced.length === 0) {
    return { column: NO_SQL, value: NO_SQL, join: NO_SQL };
  }
  return {
    column: sql`, traceparent`,
    value: sql`, traced.traceparent`,
    join: sql`left join unnest(
        ${sql.param(traced.map(({ id }) => id))}::uuid[],
        ${sql.param(traced.map(({ traceparent }) => traceparent))}::text[]
      ) as traced (id, traceparent) on traced.id = r.id`,
  };
}

const IS_ASKED_FOR = sql`(e.events is null or r.event = any(e.events))`;

const NO_SQL = sql``;

/** How many events each subject receives, by its id. */
export function countEvents(drafts: readonly EventDraft[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { subject } of drafts) {
    counts.set(subject.id, (counts.get(subject.id) ?? 0) + 1);
  }
  return counts;
}

/** The subject of a row that this transaction inserts with its first event already counted. */
export function toNewSubject(id: string, moment: Moment): EventSubjects {
  return { ...moment, byId: new Map([[id, { eventSequence: 0 }]]) };
}

/** Like `recordEvents`, for events of the account itself: locks the integrator's row and advances its counter. */
export async function recordAccountEvents(
  tx: Tx,
  source: EventSource,
  drafts: readonly EventDraft[],
): Promise<string[]> {
  const id = source.integratorId;
  const [row] = await tx.execute<{ before: number; micros: number }>(sql`
    update integrators set event_sequence = event_sequence + ${drafts.length}::bigint where id = ${id}
    returning (event_sequence - ${drafts.length}::bigint)::float8 as before, ${STATEMENT_MICROS} as micros`);
  const subjects = {
    ...toMomentOf(tx, row?.micros ?? Number.NaN),
    byId: new Map(row && [[id, { eventSequence: row.before }]]),
  };
  return recordEvents(tx, source, { subjects, drafts });
}

interface EventRow {
  id: string;
  draft: EventDraft;
  sequence: number;
  at: Date;
  content: string;
  personal: PersonalRow["personal"];
}

function toPersonalRow({ id, draft, personal }: EventRow): PersonalRow {
  return { recordId: id, subjectId: draft.subject.id, personal };
}

function toRows({ byId, at, newId }: EventSubjects, drafts: readonly EventDraft[]): EventRow[] {
  const last = new Map<string, number>();
  return drafts.map((draft): EventRow => {
    const { id, type } = draft.subject;
    const before = last.get(id) ?? byId.get(id)?.eventSequence;
    if (before === undefined) {
      throw new Error(`The ${type} ${id}, the subject of ${draft.event}, is not locked.`);
    }
    const sequence = before + 1;
    last.set(id, sequence);
    return { id: newId(), draft, sequence, at, ...toContent(draft) };
  });
}

/**
 * Splits the members without a column of their own, in the order of the notification, into `content` and the
 * cardholder's values. A transaction's narrative is not stored: it is read from the transaction.
 */
function toContent({ event, subject, requestId, actor, ...changed }: EventDraft) {
  const { data, previous = null } = changed;
  const { kept, personal } = isAboutPerson(subject.type)
    ? splitPersonal({ data, previous })
    : { kept: { data, previous }, personal: null };
  return {
    content: JSON.stringify({ request_id: requestId, actor, ...kept }),
    personal: TRANSACTION_EVENTS.has(event) ? requireKeptByTransaction(event, personal) : personal,
  };
}

/** @throws Error when the event has a value besides the narrative, which would be lost. */
function requireKeptByTransaction(event: EventName, personal: PersonalRow["personal"]): null {
  const { data, ...others } = personal ?? {};
  const names = [...Object.keys(Object(data)), ...Object.keys(others)];
  if (names.some((name) => name !== "narrative")) {
    throw new Error(`Of the values of ${event}, its transaction has only the narrative.`);
  }
  return null;
}
