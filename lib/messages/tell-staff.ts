import { and, count, eq, gt, inArray, isNull, ne, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { firstIdAt } from "#lib/base/ids.ts";
import { readMoment } from "#lib/base/moment.ts";
import type { MessageKind } from "#lib/messages/internal/message.ts";
import { recordMessages } from "#lib/messages/record-messages.ts";
import type { Recipient } from "#lib/messages/record-messages.ts";
import { messages } from "#db/schema/messages.ts";
import { IS_TOLD, staff } from "#db/schema/staff.ts";
import type { Tx } from "#db/transaction.ts";

/** What happened, and who is told of it. */
export interface Told<Facts extends object> {
  kind: MessageKind<Facts>;
  facts: Facts;
  /** The person whom it is about; null if there is none. */
  personId: string | null;
  /** The person who caused it, and who is therefore not told. */
  exceptId?: string;
  /**
   * The record whose state changed. People get at most one message an hour about each of its states. Kinds with the
   * same first word are states of the same thing: `float.low` and `float.recovered`.
   */
  stateOf?: string;
  /** How many messages of this kind each person gets within an hour. Further ones are dropped. */
  hourlyMax?: number;
}

const HOUR_MS = 3_600_000;

/** Tells everybody on the staff whom this kind of message is for, in the transaction of what happened. */
export async function tellStaff<Facts extends object>(
  tx: Tx,
  integratorId: string,
  { kind, facts, personId, exceptId, stateOf, hourlyMax }: Told<Facts>,
): Promise<void> {
  const told = await findTold(tx, integratorId, { kind, personId });
  const others = told.filter(({ staffId }) => staffId !== exceptId);
  const to =
    hourlyMax === undefined
      ? others
      : await withoutFlooded(tx, integratorId, { kind: kind.kind, hourlyMax, people: others });
  const dueAt =
    stateOf === undefined || to.length === 0
      ? undefined
      : await replaceState(tx, { integratorId, stateOf, kind: kind.kind });
  await recordMessages(tx, integratorId, { kind, facts, aboutId: stateOf ?? null, to, dueAt });
}

/** The people who were sent fewer than `hourlyMax` messages of a kind within the last hour. */
async function withoutFlooded(
  tx: Tx,
  integratorId: string,
  { kind, hourlyMax, people }: { kind: string; hourlyMax: number; people: readonly Recipient[] },
): Promise<Recipient[]> {
  const { at } = await readMoment(tx);
  const rows = await tx
    .select({ staffId: messages.staffId, sent: count() })
    .from(messages)
    .where(
      and(
        eq(messages.integratorId, integratorId),
        gt(messages.id, firstIdAt(at.getTime() - HOUR_MS)),
        eq(messages.kind, kind),
      ),
    )
    .groupBy(messages.staffId);
  const sentTo = new Map(rows.map(({ staffId, sent }) => [staffId, sent]));
  return people.filter(({ staffId }) => (sentTo.get(staffId) ?? 0) < hourlyMax);
}

/** Reads people by role and the person by id in two queries, so that each uses its own index: staffs can be large. */
async function findTold(
  tx: Tx,
  integratorId: string,
  { kind: { to, topic }, personId }: { kind: MessageKind; personId: string | null },
): Promise<Recipient[]> {
  const roles = to.filter((each) => each !== "person");
  const find = (which: SQL | undefined) =>
    tx
      .select({ staffId: staff.id, email: staff.email })
      .from(staff)
      .where(
        and(
          eq(staff.integratorId, integratorId),
          which,
          topic === null ? undefined : sql`not ${topic} = any(${staff.mutedTopics})`,
        ),
      );
  const people = [
    ...(roles.length > 0 ? await find(and(IS_TOLD, inArray(staff.role, roles))) : []),
    ...(personId !== null && to.includes("person")
      ? await find(and(isNull(staff.removedAt), eq(staff.id, personId)))
      : []),
  ];
  return [...new Map(people.map((person) => [person.staffId, person])).values()];
}

/**
 * Withdraws a message that still waits to tell of the record's earlier state. A state that returns within an hour is
 * told only when the hour has passed, unless another state replaces it before then. So the last message is always true,
 * and no state is told twice in an hour.
 * @returns when people may be told; undefined if that is immediately.
 */
async function replaceState(
  tx: Tx,
  { integratorId, stateOf, kind }: { integratorId: string; stateOf: string; kind: string },
): Promise<Date | undefined> {
  await tx
    .update(messages)
    .set({ state: "withdrawn", content: null })
    .where(
      and(
        eq(messages.integratorId, integratorId),
        eq(messages.aboutId, stateOf),
        sql`split_part(${messages.kind}, '.', 1) = split_part(${kind}, '.', 1)`,
        eq(messages.state, "waiting"),
        eq(messages.attempts, 0),
        gt(messages.dueAt, sql`clock_timestamp()`),
      ),
    );
  const [last] = await tx
    .select({
      // A message may have waited for its hour, or for the mail server.
      at: sql<Date>`max(coalesce(${messages.sentAt}, ${messages.dueAt}))`.mapWith(messages.dueAt),
    })
    .from(messages)
    .where(
      and(
        eq(messages.integratorId, integratorId),
        eq(messages.aboutId, stateOf),
        eq(messages.kind, kind),
        ne(messages.state, "withdrawn"),
      ),
    );
  return last?.at ? new Date(last.at.getTime() + HOUR_MS) : undefined;
}
