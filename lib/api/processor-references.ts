import { eq, sql } from "drizzle-orm";
import type { Answer } from "#lib/api/answer.ts";
import { DomainError } from "#lib/errors.ts";
import type { Concerned } from "#lib/processor/context.ts";
import { processorOperations } from "#db/schema/processor.ts";
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

/**
 * Claims a reference for this transaction, without waiting for it, and looks up what was answered under it before, however
 * long ago.
 * @throws DomainError `reference_reused` when that was to another request.
 */
export async function claimReference(tx: Tx, wanted: ReferencedRequest): Promise<ReferenceClaim> {
  const [lock] = await tx.execute<{ free: boolean }>(sql`
    select pg_try_advisory_xact_lock(hashtextextended('processor ' || ${wanted.reference}, 0)) as free`);
  if (!lock?.free) {
    return { state: "busy" };
  }
  // A statement of its own: its snapshot must be younger than the lock.
  const [row] = await tx
    .select()
    .from(processorOperations)
    .where(eq(processorOperations.reference, wanted.reference));
  if (!row) {
    return { state: "free" };
  }
  requireSameReference(row.fingerprint, wanted);
  return {
    state: "answered",
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

/** @throws DomainError `reference_reused`. */
export function requireSameReference(fingerprint: string, wanted: ReferencedRequest): void {
  if (fingerprint !== wanted.fingerprint) {
    throw new DomainError(
      "reference_reused",
      "This reference belongs to another operation. A reference is used once, for ever.",
    );
  }
}

/** Keeps an answer for ever, in the transaction of its effect. */
export async function storeOperation(
  tx: Tx,
  wanted: ReferencedRequest,
  kept: Concerned & { operation: string; apiKeyId: string; requestId: string; answer: Answer },
): Promise<void> {
  const { answer, ...described } = kept;
  await tx.insert(processorOperations).values({
    ...wanted,
    ...described,
    status: answer.status,
    contentType: answer.contentType,
    body: answer.body,
  });
}
