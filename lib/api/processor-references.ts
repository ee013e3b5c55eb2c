import { sql } from "drizzle-orm";
import type { Answer } from "#lib/api/answer.ts";
import { DomainError } from "#lib/errors.ts";
import type { Concerned } from "#lib/processor/context.ts";
import { processorOperations } from "#db/schema/processor.ts";
import { together } from "#db/together.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** A request of the card processor, told from all its others by its reference. */
export interface ReferencedRequest {
  reference: string;
  /** Method, path and body in one hash. */
  fingerprint: string;
}

/** Somebody else works under this reference, it has its answer, or it is this transaction's now. */
export type ReferenceClaim =
  | { state: "busy" }
  | { state: "answered"; answer: Answer }
  | { state: "free" };

/** What the database knows of a reference. */
export type StoredReference =
  | { state: "busy" }
  | { state: "free" }
  | { state: "answered"; fingerprint: string; answer: Answer };

/**
 * Claims references for this transaction, without waiting for any, and looks up what was answered under them before,
 * however long ago. Nothing is thrown here: what is wrong with one reference of a batch is that one's own answer, see
 * `requireUsableReference`.
 */
export async function claimReferences(
  tx: Tx,
  wanted: readonly ReferencedRequest[],
): Promise<Map<string, StoredReference>> {
  const references = wanted.map(({ reference }) => reference).toSorted();
  const [claims, rows] = await together([
    claim(tx, references),
    // A statement of its own: its snapshot must be younger than the locks.
    findOperations(tx, references),
  ]);
  const stored = new Map<string, StoredReference>(
    claims.map(({ reference, free }) => [reference, { state: free ? "free" : "busy" }]),
  );
  for (const row of rows) {
    if (stored.get(row.reference)?.state === "free") {
      stored.set(row.reference, toStored(row));
    }
  }
  return stored;
}

async function claim(tx: Tx, references: readonly string[]) {
  return tx.execute<{ reference: string; free: boolean }>(sql`
    select reference, pg_try_advisory_xact_lock(hashtextextended('processor ' || reference, 0)) as free
    from unnest(${sql.param(references)}::text[]) as reference`);
}

async function findOperations(tx: Tx, references: readonly string[]) {
  return tx
    .select()
    .from(processorOperations)
    .where(sql`${processorOperations.reference} = any(${sql.param(references)}::text[])`);
}

function toStored(row: typeof processorOperations.$inferSelect): StoredReference {
  return {
    state: "answered",
    fingerprint: row.fingerprint,
    answer: {
      status: row.status,
      contentType: row.contentType,
      body: row.body,
      code: null,
      detail: null,
      replayed: true,
      headers: {},
    },
  };
}

/**
 * What to do under a reference.
 * @throws DomainError `reference_reused` when it was answered to another request.
 */
export function requireUsableReference(
  stored: StoredReference | undefined,
  wanted: ReferencedRequest,
): ReferenceClaim {
  if (!stored || stored.state === "busy") {
    return { state: "busy" };
  }
  if (stored.state === "answered") {
    requireSameReference(stored.fingerprint, wanted);
  }
  return stored;
}

/** @throws DomainError `reference_reused`. */
export function requireSameReference(fingerprint: string, wanted: ReferencedRequest): void {
  if (fingerprint !== wanted.fingerprint) {
    throw new DomainError(
      "reference_reused",
      "This reference belongs to another operation. A reference is used once, for ever.",
    );
  }
}

/** An operation as it is kept: what was asked, by whom, whom it concerned and what was answered. */
export interface KeptOperation extends Concerned {
  wanted: ReferencedRequest;
  operation: string;
  apiKeyId: string;
  requestId: string;
  answer: Answer;
}

/** Keeps answers for ever, in the transaction of their effects, in one statement whatever their number. */
export async function storeOperations(tx: Tx, kept: readonly KeptOperation[]): Promise<void> {
  if (kept.length === 0) {
    return;
  }
  const column = <T>(read: (row: KeptOperation) => T) => sql.param(kept.map(read));
  const [first] = kept;
  markCommit(
    tx,
    sql`exists (select from processor_operations where reference = ${first?.wanted.reference}
      and request_id = ${first?.requestId})`,
  );
  await tx.execute(sql`
    insert into processor_operations (reference, operation, fingerprint, status, content_type, body, integrator_id,
      transaction_id, api_key_id, request_id)
    select * from unnest(
      ${column(({ wanted }) => wanted.reference)}::text[],
      ${column(({ operation }) => operation)}::text[],
      ${column(({ wanted }) => wanted.fingerprint)}::text[],
      ${column(({ answer }) => answer.status)}::smallint[],
      ${column(({ answer }) => answer.contentType)}::text[],
      ${column(({ answer }) => answer.body)}::text[],
      ${column(({ integratorId }) => integratorId)}::uuid[],
      ${column(({ transactionId }) => transactionId)}::uuid[],
      ${column(({ apiKeyId }) => apiKeyId)}::uuid[],
      ${column(({ requestId }) => requestId)}::text[]
    )`);
}
