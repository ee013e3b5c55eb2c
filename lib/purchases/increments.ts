import { findCardDecline } from "#lib/purchases/authorizations.ts";
import { withCardUses } from "#lib/purchases/internal/controlled.ts";
import { countMore, toCounted } from "#lib/transactions/counted.ts";
import { lockCurrentHold } from "#lib/purchases/holds.ts";
import { writeHeld } from "#lib/purchases/internal/held.ts";
import type { Hold } from "#lib/purchases/holds.ts";
import { recordDecline } from "#lib/purchases/purchases.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { toDeadlineTime } from "#lib/base/deadline-clock.ts";
import {
  EMPTY_TRANSACTION,
  toRowOrigin,
  toTransactionEvent,
  unchangedBalances,
} from "#lib/transactions/card-transaction-records.ts";
import type { TransactionRow } from "#lib/transactions/card-transaction-records.ts";
import { HOLD_LIFE_S } from "#lib/transactions/transaction-kinds.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";

/** By how much an authorization is to grow, in minor units. */
export interface IncrementRequest {
  amount: number;
  /** The card that the authorization must belong to. Naming it saves a read. */
  cardId?: string;
  /** When it happened by the network's clock. */
  occurredAt?: Date | null;
}

/** The result of an increment: the authorization as it is afterward, and what records the decision. */
export interface Incremented {
  authorization: Transaction;
  /** The authorization itself, or the decline. */
  transaction: Transaction;
  /** The card's, in minor units. */
  available: number;
}

/**
 * Increases the hold of an authorization, or declines the increment by the same rules as a new authorization. An
 * increment is not a second use of a single-use card. If the authorization has ended, the increment becomes a new
 * authorization, and later messages for the ended one apply to the new one. An increment of a reversed authorization is
 * declined. A decline is recorded as a transaction that refers to the authorization, which does not change.
 * @throws DomainError `card_not_found`, `authorization_not_found`, `clock_advancing`.
 */
export async function incrementAuthorization(
  ctx: WriteContext,
  id: string,
  { amount, cardId, occurredAt = null }: IncrementRequest,
): Promise<Incremented> {
  const hold = await lockLimitedHold(ctx, id, cardId);
  const { card, authorization, open } = hold;
  const { integrator, account, accounts } = card;
  const decline = findCardDecline(
    integrator,
    { account, funds: account, at: accounts.at },
    {
      amount,
      currency: null,
      merchant: authorization.merchant,
      ...(growsHold(hold) ? { own: authorization } : {}),
      ownHold: open,
      reversedBefore: isReversed(authorization),
    },
  );
  const available = account.balance - account.held;
  if (!decline) {
    const grown = growsHold(hold)
      ? await grow(ctx, hold, { amount, occurredAt })
      : await authorizeAnew(ctx, hold, { amount, occurredAt, of: id });
    return { authorization: grown, transaction: grown, available: available - amount };
  }
  const { narrative, merchant } = authorization;
  const request = { cardId: account.id, amount, currency: null, narrative, merchant, occurredAt };
  const transaction = await recordDecline(ctx, card, {
    request,
    decline,
    authorizationId: authorization.id,
    incrementOf: id,
  });
  return { authorization, transaction, available };
}

/** Like `lockCurrentHold`, and reads what the card has used of its limits. */
async function lockLimitedHold(ctx: WriteContext, id: string, ofCard?: string): Promise<Hold> {
  const hold = await lockCurrentHold(ctx, id, ofCard);
  return { ...hold, card: await withCardUses(ctx, hold.card) };
}

/** Whether the card network reversed all of an authorization. Its increments are then declined. */
export function isReversed({ status }: Pick<Transaction, "status">): boolean {
  return status === "reversed";
}

/** Whether an increment grows the hold. If the authorization has ended, the increment becomes a new authorization. */
export function growsHold({ open, expired }: Pick<Hold, "open" | "expired">): boolean {
  return open > 0 && !expired;
}

/** Lets an open authorization hold more, in minor units. */
export async function grow(
  ctx: WriteContext,
  hold: Hold,
  { amount: by, occurredAt }: { amount: number; occurredAt: Date | null },
): Promise<Transaction> {
  const { card, authorization } = hold;
  const { id, status, amount, requestedAmount, holdAmount } = authorization;
  const set = {
    // A captured authorization keeps its amount, which is what was captured.
    ...(status === "authorized" ? { amount: amount + by } : {}),
    holdAmount: (holdAmount ?? 0) + by,
    ...(requestedAmount === null ? {} : { requestedAmount: requestedAmount + by }),
  };
  const now = toDeadlineTime(card.integrator, card.accounts.at);
  const recount = countMore(authorization, by, now);
  const transaction = { ...authorization, ...set, ...recount.to };
  const { balance } = card.account;
  const approved = { transaction, amount: transaction.holdAmount, status: "authorized" } as const;
  const event = toTransactionEvent(ctx, "card.transaction", { ...approved, balance, occurredAt });
  await writeHeld(ctx, card, {
    by,
    updates: [{ id, set, recount }],
    events: [{ ...event, previous: { amount: holdAmount ?? 0 } }],
  });
  return transaction;
}

async function authorizeAnew(
  ctx: WriteContext,
  hold: Hold,
  { amount, occurredAt, of }: { amount: number; occurredAt: Date | null; of: string },
): Promise<Transaction> {
  const { integrator, account, accounts } = hold.card;
  const { narrative, merchant } = hold.authorization;
  const now = toDeadlineTime(integrator, accounts.at);
  const transaction: TransactionRow = {
    ...EMPTY_TRANSACTION,
    ...toRowOrigin(ctx, account, accounts),
    ...unchangedBalances(account.balance),
    narrative,
    merchant,
    type: "deduct",
    status: "authorized",
    incrementOf: of,
    occurredAt,
    amount,
    holdAmount: amount,
    holdCaptured: 0,
    holdReleased: 0,
    holdExpiresAt: new Date(now.getTime() + HOLD_LIFE_S * 1_000),
    ...toCounted(amount, now),
  };
  await writeHeld(ctx, hold.card, {
    by: amount,
    transactions: [transaction],
    events: [toTransactionEvent(ctx, "card.transaction", { transaction })],
  });
  return transaction;
}
