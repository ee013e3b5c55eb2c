import { asc, eq, getTableColumns, notExists, sql } from "drizzle-orm";
import { notFound } from "#lib/base/errors.ts";
import { isId } from "#lib/base/ids.ts";
import { readMoment } from "#lib/base/moment.ts";
import type { ProcessorContext } from "#lib/processor/context.ts";
import { postForProcessor, refundForProcessor } from "#lib/processor/operations.ts";
import type { Effect } from "#lib/processor/operations.ts";
import type { PurchaseDescription } from "#lib/transactions/card-transaction-records.ts";
import { apiKeys } from "#db/schema/integrators.ts";
import { processorOperations, unmatchedFacts } from "#db/schema/processor.ts";
import type { UNMATCHED_REASONS } from "#db/schema/processor.ts";
import type { Db } from "#db/client.ts";
import { markCommit } from "#db/transaction.ts";
import type { Tx } from "#db/transaction.ts";

/** What the card network has reported about an unknown card. It is kept until the operator names the card. */

/** A purchase or a refund that has happened. */
export interface Fact extends Pick<PurchaseDescription, "merchant"> {
  /** As the network named it; null if it did not. */
  cardId: string | null;
  /** Minor units. Null for what its authorization holds. */
  amount: number | null;
}

/** Why a fact is not in the books. */
export type UnmatchedReason = (typeof UNMATCHED_REASONS)[number];

/** The request that reported a fact. */
export type FactRequest = Pick<
  typeof unmatchedFacts.$inferInsert,
  "reference" | "operation" | "fingerprint" | "apiKeyId" | "requestId"
>;

/** A fact that waits for its card, with the name of the network's key. */
export type UnmatchedFact = typeof unmatchedFacts.$inferSelect & { network: string };

/** The most that a list returns. */
export const UNMATCHED_LIST_MAX = 500;

/**
 * Keeps a fact for the operator. A repeat changes nothing.
 * @returns whether the fact is kept: not if another one has its reference.
 */
export async function keepFact(
  tx: Tx,
  request: FactRequest,
  { reason, ...fact }: Fact & { reason: UnmatchedReason },
): Promise<boolean> {
  const { cardId, amount, merchant } = fact;
  const moment = await readMoment(tx);
  const id = moment.newId();
  const [inserted] = await tx
    .insert(unmatchedFacts)
    .values({ id, ...request, cardId, amount, merchant, reason })
    .onConflictDoNothing()
    .returning({ id: unmatchedFacts.id });
  if (inserted) {
    markCommit(tx, sql`exists (select from unmatched_facts where id = ${id})`);
  }
  const [kept] = await tx
    .select({ fingerprint: unmatchedFacts.fingerprint })
    .from(unmatchedFacts)
    .where(eq(unmatchedFacts.reference, request.reference));
  return kept?.fingerprint === request.fingerprint;
}

function selectFacts(db: Db | Tx) {
  return db
    .select({ ...getTableColumns(unmatchedFacts), network: apiKeys.name })
    .from(unmatchedFacts)
    .innerJoin(apiKeys, eq(apiKeys.id, unmatchedFacts.apiKeyId));
}

/** The facts that wait for their card, the oldest first. One that the network has sent again with success waits no longer. */
export async function listUnmatched(db: Db): Promise<UnmatchedFact[]> {
  return selectFacts(db)
    .where(
      notExists(
        db
          .select({ one: sql`1` })
          .from(processorOperations)
          .where(eq(processorOperations.reference, unmatchedFacts.reference)),
      ),
    )
    .orderBy(asc(unmatchedFacts.createdAt))
    .limit(UNMATCHED_LIST_MAX);
}

/** @throws Error when no fact with this id waits. */
export async function lockUnmatched(tx: Tx, id: string): Promise<UnmatchedFact> {
  const [fact] = isId(id)
    ? await selectFacts(tx).where(eq(unmatchedFacts.id, id)).for("update", { of: unmatchedFacts })
    : [];
  if (!fact) {
    throw new Error(`There is no unmatched fact ${id}; see "unmatched".`);
  }
  return fact;
}

/**
 * Records a fact on a card, and forgets that it was unmatched.
 * @throws DomainError as `postForProcessor` and `refundForProcessor`.
 */
export async function postUnmatched(
  ctx: ProcessorContext,
  { id, operation, amount, merchant }: UnmatchedFact,
  cardId: string,
): Promise<Effect> {
  if (amount === null) {
    throw new Error(
      "The card network named no amount: it asked to capture what an authorization holds, and there is none. Have it send the capture with its amount.",
    );
  }
  if (!isId(cardId)) {
    throw notFound("card_not_found");
  }
  const request = { cardId, amount, merchant, narrative: null };
  const effect =
    operation === "createRefund"
      ? await refundForProcessor(ctx, {
          ...request,
          transactionId: null,
          authorizationReference: null,
          original: null,
        })
      : await postForProcessor(ctx, { ...request, authorizationReference: null, final: false });
  await ctx.tx.delete(unmatchedFacts).where(eq(unmatchedFacts.id, id));
  return effect;
}
