import { closeSpentCard } from "#lib/funds/close-card.ts";
import { lockWithFloat } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import { decidePostings, unchangedAccounts } from "#lib/ledger/decide.ts";
import type { Posted, PostResult } from "#lib/ledger/decide.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { decideSweep } from "#lib/funds/sweep.ts";
import { formatMoney } from "#lib/base/money.ts";
import { writeChanges } from "#lib/transactions/write-changes.ts";
import type { Changes } from "#lib/transactions/write-changes.ts";

/** A purchase to pay. `release` is how much of its own authorization's hold is released with it. Minor units. */
export interface Payment {
  amount: number;
  release: number;
}

/** What is decided about a card's money and not yet written. */
export interface Settlement {
  /** As locked for the decision. */
  card: LockedCard;
  /** With the sweep of the card, if it ends. */
  changes: Changes;
  /** Whether this is the end of a single-use card, which then closes. */
  isSpent: boolean;
}

/**
 * Decides to pay a purchase from a card to the network.
 * @throws DomainError `insufficient_card_balance` when the card has less available than the purchase,
 *   `balance_limit_exceeded` when the float cannot receive the rest of a single-use card.
 */
export async function decidePayment(
  ctx: WriteContext,
  locked: LockedCard,
  payment: Payment,
): Promise<Settlement & { posted: Posted }> {
  const isSpent = isSpentBy(locked, payment.release);
  const card = isSpent ? await lockWithFloat(ctx, locked) : locked;
  const { integrator, account, accounts } = card;
  const { results, ...changes } = decidePostings(unchangedAccounts(accounts), [
    {
      kind: "card_purchase",
      debitAccountId: account.id,
      creditAccountId: integrator.networkId,
      amount: payment.amount,
      release: payment.release,
      currency: integrator.currency,
      idempotencyKey: ctx.idempotencyKey ?? null,
      requestId: ctx.request.id,
    },
  ]);
  const [paid] = results;
  if (!paid?.posted) {
    throw toInsufficient(card, payment, paid);
  }
  const [posted] = paid.transfers;
  return { card, changes: isSpent ? decideSweep(ctx, card, changes) : changes, isSpent, posted };
}

/** Whether a single-use card holds nothing anymore after this release. */
export function isSpentBy({ account }: LockedCard, release: number): boolean {
  return account.singleUse && account.status !== "closed" && account.held === release;
}

/** Writes a settlement with the records of its own transaction, and closes a card that is spent. */
export async function writeSettlement(
  ctx: WriteContext,
  { card, changes, isSpent }: Settlement,
  records: Pick<Changes, "transactions" | "updates" | "events">,
): Promise<void> {
  await writeChanges(ctx.tx, card.integrator, {
    ...changes,
    ...records,
    transactions: [...(records.transactions ?? []), ...(changes.transactions ?? [])],
    events: [...(records.events ?? []), ...(changes.events ?? [])],
  });
  if (isSpent) {
    await closeSpentCard(ctx, card.account.id);
  }
}

function toInsufficient(
  { integrator }: LockedCard,
  { amount, release }: Payment,
  refused: PostResult | undefined,
): DomainError {
  const available = refused?.posted === false ? refused.available : 0;
  const money = (sum: number) => formatMoney(sum, integrator.currency);
  return new DomainError(
    "insufficient_card_balance",
    `The card has ${money(available)} available for this capture, including its own hold of ${money(release)}; ${money(amount)} was requested.`,
  );
}
