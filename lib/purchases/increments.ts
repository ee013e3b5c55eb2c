import { findCardDecline } from "#lib/purchases/authorizations.ts";
import { lockOpenHold, requireUnexpired } from "#lib/purchases/holds.ts";
import type { Hold } from "#lib/purchases/holds.ts";
import { recordDecline } from "#lib/purchases/purchases.ts";
import { adjustHeld, unchangedAccounts } from "#lib/ledger/decide.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { toTransactionEvent } from "#lib/transactions/card-transaction-records.ts";
import type { Transaction } from "#lib/transactions/transactions.ts";
import { writeChanges } from "#lib/transactions/write-changes.ts";

/** By how much an authorization is to grow, in minor units. */
export interface IncrementRequest {
  amount: number;
  /** The card that the authorization must belong to, if the caller named one. */
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
 * Lets an open authorization hold more, or declines that by the same rules as a new one. It is no second use of a single-use
 * card. A decline is recorded as a transaction that names the authorization, which stays as it was.
 * @throws DomainError `authorization_not_found`, `authorization_captured`, `…_reversed`, `…_expired`, `…_declined`,
 *   `clock_advancing`.
 */
export async function incrementAuthorization(
  ctx: WriteContext,
  id: string,
  { amount, cardId, occurredAt = null }: IncrementRequest,
): Promise<Incremented> {
  const hold = requireUncaptured(requireUnexpired(await lockOpenHold(ctx, id, cardId)));
  const { card, authorization, open } = hold;
  const { integrator, account, accounts } = card;
  const decline = findCardDecline(
    integrator,
    { account, funds: account, at: accounts.at },
    { amount, currency: null, ownHold: open },
  );
  const available = account.balance - account.held;
  if (!decline) {
    const grown = await grow(ctx, hold, { amount, occurredAt });
    return { authorization: grown, transaction: grown, available: available - amount };
  }
  const { narrative, merchant } = authorization;
  const request = { cardId: account.id, amount, currency: null, narrative, merchant, occurredAt };
  const transaction = await recordDecline(ctx, card, {
    request,
    decline,
    authorizationId: authorization.id,
  });
  return { authorization, transaction, available };
}

/** What was captured is a purchase, which does not grow. */
function requireUncaptured(hold: Hold): Hold {
  if (hold.authorization.status !== "authorized") {
    throw new DomainError(
      "authorization_captured",
      "This authorization was captured in part, so it cannot hold more. Create a new authorization.",
    );
  }
  return hold;
}

async function grow(
  ctx: WriteContext,
  { card, authorization }: Hold,
  { amount: by, occurredAt }: { amount: number; occurredAt: Date | null },
): Promise<Transaction> {
  const { amount, requestedAmount, holdAmount } = authorization;
  const set = {
    amount: amount + by,
    holdAmount: (holdAmount ?? 0) + by,
    ...(requestedAmount === null ? {} : { requestedAmount: requestedAmount + by }),
  };
  const transaction = { ...authorization, ...set };
  const changes = unchangedAccounts(card.accounts);
  const funds = changes.balances.get(card.account.id);
  if (!funds) {
    throw new Error(`Card ${card.account.id} is locked but has no working balance.`);
  }
  adjustHeld(funds, by);
  const { balance } = funds;
  const event = toTransactionEvent(ctx, "card.transaction", { transaction, balance, occurredAt });
  await writeChanges(ctx.tx, card.integrator, {
    ...changes,
    updates: [{ id: authorization.id, set }],
    events: [{ ...event, previous: { amount } }],
  });
  return transaction;
}
