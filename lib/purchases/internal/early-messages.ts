import { and, isNull, sql } from "drizzle-orm";
import type { TransactionUpdate } from "#lib/transactions/write-changes.ts";
import { transactions } from "#db/schema/transactions.ts";
import { OWN_TRANSACTION, processorOperations } from "#db/schema/processor.ts";
import type { Tx } from "#db/transaction.ts";

/** A message from the card network that arrived before the authorization with its reference. */
export interface EarlyMessage {
  reference: string | null;
  at: Date;
  /** Minor units. */
  releases: number;
  /** Whether it ends the hold: a reversal of everything, or a final capture. */
  endsHold: boolean;
  /** The purchase that it posted; null for a reversal. */
  captureId: string | null;
  captured: number | null;
  /** A reversal names no card. */
  cardId: string | null;
}

/** The messages that arrived before an authorization, summed. Amounts in minor units. */
export interface Early {
  captureIds: readonly string[];
  captured: number;
  released: number;
  endsHold: boolean;
  /** When the first of them came; null if none did. */
  since: Date | null;
}

/**
 * The messages that arrived before the authorizations with these references. The caller must have claimed the
 * references: then every message either is found here or finds its authorization.
 */
export async function findEarlyMessages(
  tx: Tx,
  references: readonly string[],
): Promise<readonly EarlyMessage[]> {
  if (references.length === 0) {
    return [];
  }
  return tx
    .select({
      reference: processorOperations.awaits,
      at: processorOperations.createdAt,
      releases: sql<number>`coalesce(${processorOperations.releases}, 0)`.mapWith(Number),
      endsHold: sql<boolean>`coalesce(${processorOperations.endsHold}, false)`,
      captureId: transactions.id,
      captured: transactions.amount,
      cardId: transactions.cardId,
    })
    .from(processorOperations)
    .leftJoin(
      transactions,
      and(
        OWN_TRANSACTION,
        // Excludes captures that have their authorization, and authorizations that the network approved on our behalf.
        isNull(transactions.authorizationId),
        isNull(transactions.approvedBy),
      ),
    )
    .where(sql`${processorOperations.awaits} = any(${sql.param(references)}::text[])`);
}

const NONE: Early = { captureIds: [], captured: 0, released: 0, endsHold: false, since: null };

/** The messages that came before one authorization. A capture counts on its own card only. */
export function toEarly(
  messages: readonly EarlyMessage[],
  authorization: { reference?: string | null; cardId: string },
): Early {
  if (messages.length === 0) {
    return NONE;
  }
  const own = messages.filter(
    ({ reference, cardId }) =>
      reference === authorization.reference &&
      (cardId ?? authorization.cardId) === authorization.cardId,
  );
  return {
    captureIds: own.flatMap(({ captureId }) => captureId ?? []),
    captured: own.reduce((sum, { captured }) => sum + (captured ?? 0), 0),
    released: own.reduce((sum, { releases }) => sum + releases, 0),
    endsHold: own.some(({ endsHold }) => endsHold),
    since: own.reduce<Date | null>(
      (first, { at }) => (first === null || at < first ? at : first),
      null,
    ),
  };
}

/** Whether nothing was captured and nothing is left to hold. */
export function isReversedBefore({ captured, released, endsHold }: Early, amount: number): boolean {
  return captured === 0 && (endsHold || (released > 0 && released >= amount));
}

/** How much of an authorization for this amount needs no approval: it was captured or reversed already. */
export function toUsed({ captured, released, endsHold }: Early, amount: number): number {
  return endsHold ? amount : Math.min(amount, captured + released);
}

/**
 * The columns of an authorization that is approved, in full or in part. Its hold lacks what earlier messages captured
 * or released. A verification holds nothing.
 * @param approval `since`: when the first message with its reference arrived, by the integrator's clock. The deadline
 *   counts from then.
 */
export function toApproved(
  { amount, expiresInS }: { amount: number; expiresInS: number },
  { approved, early, since }: { approved: number; early: Early; since: Date },
) {
  if (amount === 0) {
    return { status: "authorized", amount } as const;
  }
  return {
    ...toEarlyHold(early, approved),
    amount: approved,
    requestedAmount: approved < amount ? amount : null,
    holdAmount: approved,
    holdExpiresAt: new Date(since.getTime() + expiresInS * 1_000),
  } as const;
}

/** How much of a hold of this amount was already released, and the status that follows. */
function toEarlyHold({ captured, released, endsHold }: Early, approved: number) {
  const reversed = Math.min(released, approved);
  const holdReleased = endsHold ? Math.max(reversed, approved - captured) : reversed;
  const holdCaptured = Math.min(approved - holdReleased, captured);
  const status = holdCaptured + holdReleased < approved ? "authorized" : "captured";
  return { status, holdCaptured, holdReleased } as const;
}

/** Links captures to their authorization, which arrived after them. */
export function toCaptureUpdates(
  captureIds: readonly string[],
  authorizationId: string,
): TransactionUpdate[] {
  return captureIds.map((id) => ({ id, set: { authorizationId } }));
}
