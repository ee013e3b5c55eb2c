import { closeSpentCard } from "#lib/funds/close-card.ts";
import { NOTHING_COVERED, decideCover, lockCover, toCoverRecords } from "#lib/funds/cover.ts";
import type { Shares } from "#lib/funds/cover.ts";
import { lockWithFloat } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import { decidePostings, unchangedAccounts } from "#lib/ledger/decide.ts";
import type { Posted } from "#lib/ledger/decide.ts";
import type { CardAccount } from "#lib/ledger/accounts.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { decideSweep } from "#lib/funds/sweep.ts";
import { writeChanges } from "#lib/transactions/write-changes.ts";
import type { Changes } from "#lib/transactions/write-changes.ts";

/** A purchase to pay. `release` is how much of its own authorization's hold is released with it. Minor units. */
export interface Payment {
  amount: number;
  release: number;
  /** Whether it is a use of the card, which a single-use card has once. Default: it is. */
  isUse?: boolean;
}

/** What is decided about a card's money and not yet written. */
export interface Settlement {
  /** As locked for the decision. */
  card: LockedCard;
  /** With the sweep of a card that is closed or ends here. */
  changes: Changes;
  /** Whether this is the end of a single-use card, which then closes. */
  isSpent: boolean;
}

/** A decided payment. The purchase's row states how much was covered. The records of the cover refer to that row. */
export interface PaymentSettlement extends Settlement {
  posted: Posted;
  shares: Shares;
  toRecords: (purchaseId: string) => Records;
}

type Records = Pick<Changes, "transactions" | "updates" | "events" | "audit">;

/**
 * Decides to pay a purchase from a card to the network. What the card cannot pay is covered (`cover.ts`), so that a
 * purchase which the network has posted is always paid.
 * @throws DomainError `balance_limit_exceeded` when the float cannot receive the rest of a card that ends, or is
 *   closed.
 */
export async function decidePayment(
  ctx: WriteContext,
  locked: LockedCard,
  payment: Payment,
): Promise<PaymentSettlement> {
  const { amount, release, isUse = true } = payment;
  const missing = findMissing(locked.account, payment);
  // A purchase that is covered in full does not use up a single-use card.
  const isSpent = isUse && missing < amount && isSpentBy(locked, release);
  const { card, shares } =
    missing > 0
      ? await lockCover(ctx, locked, missing)
      : { card: await lockForSweep(ctx, locked, isSpent), shares: NOTHING_COVERED };
  const { integrator, account, accounts } = card;
  const covered = decideCover(ctx, card, { changes: unchangedAccounts(accounts), shares });
  const { results, ...changes } = decidePostings(covered.changes, [
    {
      kind: "card_purchase",
      debitAccountId: account.id,
      creditAccountId: integrator.networkId,
      amount,
      release,
      currency: integrator.currency,
      idempotencyKey: ctx.idempotencyKey ?? null,
      requestId: ctx.request.id,
    },
  ]);
  const [paid] = results;
  if (!paid?.posted) {
    throw new Error(`Card ${account.id} could not pay, although what it was missing was covered.`);
  }
  return {
    ...toSettlement(ctx, card, { changes, isSpent }),
    posted: paid.transfers[0],
    shares,
    toRecords: (purchaseId) => toCoverRecords(ctx, card, { covers: covered.covers, purchaseId }),
  };
}

/**
 * What a card is missing to pay a purchase: a frozen or closed card pays only from the purchase's own hold, so that
 * it never loses more than was approved before. Minor units.
 */
export function findMissing(
  { status, balance, held }: Pick<CardAccount, "status" | "balance" | "held">,
  { amount, release }: Payment,
): number {
  const available = status === "active" ? balance - held : 0;
  return Math.max(0, amount - release - available);
}

/** The columns of a purchase that say what covered it. */
export function toCovered({ float, deficit }: Shares) {
  return float + deficit > 0
    ? { coveredFloat: float, coveredDeficit: deficit }
    : { coveredFloat: null, coveredDeficit: null };
}

/** Whether a single-use card was used and holds nothing anymore after this release. */
export function isSpentBy({ account }: LockedCard, release: number): boolean {
  return account.singleUse && account.status !== "closed" && account.held === release;
}

/** Also locks the float if the card is closed or ends here, because the float then receives the card's balance. */
export async function lockForSweep(
  ctx: WriteContext,
  card: LockedCard,
  isSpent: boolean,
): Promise<LockedCard> {
  return isSwept(card, isSpent) ? lockWithFloat(ctx, card) : card;
}

/** A settlement of decided changes. A closed card's remaining balance is swept to the float. */
export function toSettlement(
  ctx: WriteContext,
  card: LockedCard,
  { changes, isSpent }: { changes: Changes; isSpent: boolean },
): Settlement {
  return {
    card,
    changes: isSwept(card, isSpent) ? decideSweep(ctx, card, changes) : changes,
    isSpent,
  };
}

function isSwept({ account }: LockedCard, isSpent: boolean): boolean {
  return isSpent || account.status === "closed";
}

/** Writes a settlement with the records of its own transaction, and closes a card that is spent. */
export async function writeSettlement(
  ctx: WriteContext,
  { card, changes, isSpent }: Settlement,
  ...records: readonly Records[]
): Promise<void> {
  const all = [...records, changes];
  await writeChanges(ctx.tx, card.integrator, {
    ...changes,
    transactions: all.flatMap(({ transactions = [] }) => transactions),
    updates: all.flatMap(({ updates = [] }) => updates),
    events: all.flatMap(({ events = [] }) => events),
    audit: all.flatMap(({ audit = [] }) => audit),
  });
  if (isSpent) {
    await closeSpentCard(ctx, card.account.id);
  }
}
