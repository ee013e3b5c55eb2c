import { and, asc, eq, getTableColumns, inArray, not, sql } from "drizzle-orm";
import type { SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { isId } from "#lib/base/ids.ts";
import { readMoment } from "#lib/base/moment.ts";
import { mergePersonal, splitPersonal } from "#lib/record/personal-values.ts";
import { transactions } from "#db/schema/transactions.ts";
import { apiKeys } from "#db/schema/integrators.ts";
import { processorOperations, unmatchedFacts } from "#db/schema/processor.ts";
import type { CLEARING_OPERATIONS, UNMATCHED_REASONS } from "#db/schema/processor.ts";
import type { Db } from "#db/client.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** Messages of the card network that are not in the books. They are kept, and shown to the operator. */

export type ClearingOperation = (typeof CLEARING_OPERATIONS)[number];

/** Why a message is not in the books. */
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number];

/**
 * The reasons for which the operator can record a message of each operation, by naming its card or transaction.
 * Messages with other reasons are only shown.
 */
const MATCHED: Readonly<Record<ClearingOperation, readonly UnmatchedReason[]>> = {
  createAuthorization: ["card_not_found", "card_conflict", "currency_mismatch", "not_recorded"],
  createCapture: ["authorization_not_found", "not_recorded"],
  createIncrement: [],
  createPosting: ["authorization_not_found", "card_not_found", "card_conflict", "not_recorded"],
  createRefund: ["card_not_found", "transaction_not_found", "not_recorded"],
  createReversal: [],
  createReversalByReference: [],
};

/** Whether a message that was not booked for this reason waits for the operator to match it. */
export function canMatch(operation: ClearingOperation, reason: UnmatchedReason): boolean {
  return MATCHED[operation].includes(reason);
}

/** A message as the network sent it: the members of its body without the reference, and the id from its path. */
export type Message = Readonly<Record<string, unknown>>;

/** A message with the reference under which the network sends it again. */
export interface ClearingMessage {
  reference: string;
  operation: ClearingOperation;
  fingerprint: string;
  apiKeyId: string;
  requestId: string;
  message: Message;
}

/** A kept message in full, and what is known about its reference and its authorization. */
export interface UnmatchedClearing
  extends ClearingMessage, Omit<typeof unmatchedFacts.$inferSelect, "message" | "personal"> {
  /** The name of the network's key. */
  network: string;
  /** The first response that the network got under this reference, perhaps for another content. */
  answered: Pick<
    typeof processorOperations.$inferSelect,
    "operation" | "status" | "body" | "transactionId" | "fingerprint"
  > | null;
  /** The authorization that the message names, if it has arrived. */
  authorization: { id: string; cardId: string } | null;
}

/** The most that a list returns. */
export const UNMATCHED_LIST_MAX = 500;

/** Whether the network has sent a kept message again with success. */
export const IS_BOOKED = sql`exists (select from processor_operations p
  where p.reference = unmatched_facts.reference and p.fingerprint = unmatched_facts.fingerprint and p.status < 400)`;

/** Whether a kept message waits for the operator. */
export const IS_MATCHABLE = sql`(unmatched_facts.operation, unmatched_facts.reason) in (${sql.raw(
  Object.entries(MATCHED)
    .flatMap(([operation, reasons]) => reasons.map((reason) => `('${operation}', '${reason}')`))
    .join(", "),
)})`;

/**
 * Keeps a message for the operator. Different contents under one reference are kept separately, each with its latest
 * reason.
 * @returns the reason: `reference_reused` when another content waits under the same reference.
 */
export async function keepClearing(
  tx: Tx,
  request: ClearingMessage,
  refused: UnmatchedReason,
): Promise<UnmatchedReason> {
  const reason = (await hasOtherContent(tx, request)) ? "reference_reused" : refused;
  const { reference, operation, fingerprint, apiKeyId, requestId, message: sent } = request;
  const { kept: message, personal } = splitPersonal(sent);
  const named = {
    cardId: toId(sent["card_id"]),
    authorizationId: toId(sent["id"]),
    authorizationReference: toText(sent["authorization_reference"]),
  };
  const { newId } = await readMoment(tx);
  await tx
    .insert(unmatchedFacts)
    .values({
      id: newId(),
      reference,
      operation,
      fingerprint,
      apiKeyId,
      requestId,
      reason,
      message,
      ...named,
      personal: sql`case when ${isErased(named)} then null else ${personal && JSON.stringify(personal)}::json end`,
    })
    .onConflictDoUpdate({
      target: [unmatchedFacts.reference, unmatchedFacts.operation, unmatchedFacts.fingerprint],
      set: { reason },
      setWhere: sql`${unmatchedFacts.reason} <> excluded.reason`,
    });
  markCommit(
    tx,
    sql`exists (select from unmatched_facts where ${isOf(request)} and reason = ${reason})`,
  );
  return reason;
}

function isOf({ reference, operation, fingerprint }: ClearingMessage): SQL | undefined {
  return and(
    eq(unmatchedFacts.reference, reference),
    eq(unmatchedFacts.operation, operation),
    eq(unmatchedFacts.fingerprint, fingerprint),
  );
}

async function hasOtherContent(
  tx: Tx,
  { reference, fingerprint }: ClearingMessage,
): Promise<boolean> {
  const [other] = await tx
    .select({ id: unmatchedFacts.id })
    .from(unmatchedFacts)
    .where(
      and(
        eq(unmatchedFacts.reference, reference),
        sql`${unmatchedFacts.fingerprint} <> ${fingerprint}`,
        IS_MATCHABLE,
      ),
    )
    .limit(1);
  return other !== undefined;
}

type Named = Pick<
  typeof unmatchedFacts.$inferSelect,
  "cardId" | "authorizationId" | "authorizationReference"
>;

/** Whether a message's cardholder is erased: the holder of the named card, or of its authorization's card. */
function isErased({ cardId, authorizationId, authorizationReference }: Named): SQL {
  return sql`exists (
    select from cards c join cardholders h on h.integrator_id = c.integrator_id and h.id = c.cardholder_id
    where h.erased_at is not null and (c.id = ${cardId}::uuid or c.id = any(array(
      select t.card_id from processor_operations p
      join transactions t on t.integrator_id = p.integrator_id and t.id = p.transaction_id
      where p.operation = 'createAuthorization'
        and (p.transaction_id = ${authorizationId}::uuid or p.reference = ${authorizationReference}::text)))))`;
}

function toText(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function toId(value: unknown): string | null {
  const text = toText(value);
  return text !== null && isId(text) ? text.toLowerCase() : null;
}

const answered = alias(processorOperations, "answered");
const authorized = alias(processorOperations, "authorized");

function selectClearings(db: Db | Tx) {
  return db
    .select({
      ...getTableColumns(unmatchedFacts),
      network: apiKeys.name,
      answered: {
        operation: answered.operation,
        status: answered.status,
        body: answered.body,
        transactionId: answered.transactionId,
        fingerprint: answered.fingerprint,
      },
      authorization: { id: transactions.id, cardId: transactions.cardId },
    })
    .from(unmatchedFacts)
    .innerJoin(apiKeys, eq(apiKeys.id, unmatchedFacts.apiKeyId))
    .leftJoin(answered, eq(answered.reference, unmatchedFacts.reference))
    .leftJoin(
      authorized,
      // An authorization that both we and the card network approved has two references.
      sql`${authorized.reference} = coalesce(
        (select p.reference from processor_operations p
          where p.operation = 'createAuthorization' and p.reference = ${unmatchedFacts.authorizationReference}),
        (select p.reference from processor_operations p
          where p.operation = 'createAuthorization' and p.transaction_id = ${unmatchedFacts.authorizationId} limit 1))`,
    )
    .leftJoin(
      transactions,
      and(
        eq(transactions.integratorId, authorized.integratorId),
        eq(transactions.id, authorized.transactionId),
      ),
    );
}

type Selected = Awaited<ReturnType<typeof selectClearings>>[number];

function toClearing({ message, personal, ...clearing }: Selected): UnmatchedClearing {
  return { ...clearing, message: mergePersonal(message, personal) };
}

/** Messages that are not in the books, the oldest first. One that the network has sent again with success is. */
export async function listUnmatched(db: Db): Promise<UnmatchedClearing[]> {
  const rows = await selectClearings(db)
    .where(not(IS_BOOKED))
    .orderBy(asc(unmatchedFacts.createdAt))
    .limit(UNMATCHED_LIST_MAX);
  return rows.map(toClearing);
}

/** @throws Error when no message with this id is kept. */
export async function lockUnmatched(tx: Tx, id: string): Promise<UnmatchedClearing> {
  const [row] = isId(id)
    ? await selectClearings(tx)
        .where(eq(unmatchedFacts.id, id))
        .for("update", { of: unmatchedFacts })
    : [];
  if (!row) {
    throw new Error(`There is no unmatched fact ${id}; see "unmatched".`);
  }
  return toClearing(row);
}

/**
 * The kept captures that wait for authorizations with these references, which the caller must have claimed, the
 * oldest first. They named no card, or they only end the hold.
 */
export async function findWaitingCaptures(
  tx: Tx,
  references: readonly string[],
): Promise<UnmatchedClearing[]> {
  if (references.length === 0) {
    return [];
  }
  // Every authorization runs this query, and hardly any finds a capture. So the details are read separately.
  const waiting = await tx
    .select({ id: unmatchedFacts.id })
    .from(unmatchedFacts)
    .where(
      and(
        sql`${unmatchedFacts.authorizationReference} = any(${sql.param(references)}::text[])`,
        // The condition of the partial index, word for word, so that the planner can use it.
        sql`operation = 'createPosting' and reason = 'authorization_not_found'`,
      ),
    );
  if (waiting.length === 0) {
    return [];
  }
  const ids = waiting.map(({ id }) => id);
  const rows = await selectClearings(tx)
    .where(and(inArray(unmatchedFacts.id, ids), not(IS_BOOKED)))
    .orderBy(asc(unmatchedFacts.createdAt));
  return rows.map(toClearing);
}

/** Removes a kept message: it was matched, or the operator has settled it with the network. */
export async function forgetUnmatched(
  tx: Tx,
  { id }: Pick<UnmatchedClearing, "id">,
): Promise<void> {
  await tx.delete(unmatchedFacts).where(eq(unmatchedFacts.id, id));
  markCommit(tx, sql`not exists (select from unmatched_facts where id = ${id})`);
}
