import { cache } from "react";
import { requireStaffPage } from "../../../page/staff-page.ts";
import { findAs } from "#lib/auth/page-session.ts";
import { listRelatedTransactions } from "#lib/transactions/card-purchases.ts";
import { listTransactionNotes } from "#lib/transactions/card-notes.ts";
import type { CardNote } from "#lib/cards/card-note.ts";
import { getCard } from "#lib/cards/card-reads.ts";
import { findReviewed } from "#lib/cards/freeze-review.ts";
import { getHolderOf } from "#lib/cards/cardholder-reads.ts";
import type { Cardholder } from "#lib/cards/cardholder-reads.ts";
import type { Card } from "#lib/cards/card-resource.ts";
import { hasPassed } from "#lib/base/deadline-clock.ts";
import { getTransaction } from "#lib/transactions/transactions.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

const RELATED_MAX = 100;
const NOTES_MAX = 100;

/** A transaction and what its page shows with it. */
export interface FoundTransaction {
  transaction: Transaction;
  card: Card & { expired: boolean; isReviewed: boolean };
  holder: Cardholder;
  related: readonly Transaction[];
  notes: readonly CardNote[];
}

/** Read once for a page and its title. Undefined for another integrator's, an unknown one and a malformed id. */
export const findTransaction = cache(async (id: string): Promise<FoundTransaction | undefined> => {
  const session = await requireStaffPage();
  return findAs(session, "transaction_not_found", async (ctx) => {
    const transaction = await getTransaction(ctx, id);
    const [card, holder, related, notes] = await Promise.all([
      getCard(ctx, transaction.cardId),
      getHolderOf(ctx, transaction.cardId),
      listRelatedTransactions(ctx, transaction, RELATED_MAX),
      listTransactionNotes(ctx, transaction, NOTES_MAX),
    ]);
    const expired = hasPassed(session, card.expiresAt, new Date());
    const isReviewed = (await findReviewed(ctx, [card])).has(card.id);
    return { transaction, card: { ...card, expired, isReviewed }, holder, related, notes };
  });
});
