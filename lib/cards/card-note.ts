import { and, eq } from "drizzle-orm";
import type { ActorRef } from "#lib/base/actor.ts";
import { toReadContext } from "#lib/base/context.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { notFound } from "#lib/base/errors.ts";
import { readMoment } from "#lib/base/moment.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { cardholderCan } from "#lib/cards/cardholder-state.ts";
import { keepCardholder, refuse } from "#lib/cards/internal/cardholder-records.ts";
import { insertAudit } from "#lib/record/audit.ts";
import { transactions } from "#db/schema/transactions.ts";

/** What somebody wrote about a card, or about one of its transactions. */
export interface CardNote {
  id: string;
  cardId: string;
  transactionId: string | null;
  /** Null once the cardholder is erased. */
  comment: string | null;
  createdAt: Date;
  actor: ActorRef;
  requestId: string;
}

/**
 * Writes a note on a card, or on one of its transactions. The note is an entry of the audit log, so it never changes.
 * The card does not change either: it may be frozen or closed, and is not locked.
 * @throws DomainError `card_not_found`; `transaction_not_found`, also for another card's transaction; `user_erased`.
 */
export async function noteCard(
  ctx: WriteContext,
  cardId: string,
  { comment, transactionId }: { comment: string; transactionId: string | null },
): Promise<CardNote> {
  const { tx, actor, request } = ctx;
  const { integratorId } = actor;
  const { cardholderId } = await getCard(toReadContext(ctx), cardId);
  if (transactionId !== null) {
    await requireTransaction(ctx, { cardId, transactionId });
  }
  refuse(cardholderCan.change(await keepCardholder(ctx, cardholderId)));
  const { at, newId } = await readMoment(tx);
  const id = newId();
  const subject = transactionId === null ? {} : { transaction_id: transactionId };
  await insertAudit(tx, { integratorId, at, newId: () => id }, [
    {
      actor: actor.ref,
      request,
      action: "card.noted",
      targetType: "card",
      targetId: cardId,
      before: null,
      after: { comment, ...subject },
    },
  ]);
  return {
    id,
    cardId,
    transactionId,
    comment,
    createdAt: at,
    actor: actor.ref,
    requestId: request.id,
  };
}

/** @throws DomainError `transaction_not_found`. */
async function requireTransaction(
  { tx, actor }: WriteContext,
  { cardId, transactionId }: { cardId: string; transactionId: string },
): Promise<void> {
  const [row] = await tx
    .select({ id: transactions.id })
    .from(transactions)
    .where(
      and(
        eq(transactions.integratorId, actor.integratorId),
        eq(transactions.cardId, cardId),
        eq(transactions.id, transactionId),
      ),
    );
  if (!row) {
    throw notFound("transaction_not_found");
  }
}
