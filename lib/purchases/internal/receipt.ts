import { lockWithFloat } from "#lib/cards/card-lock.ts";
import type { LockedCard } from "#lib/cards/card-lock.ts";
import { decideCoverReturn } from "#lib/funds/cover.ts";
import type { CoverReturn } from "#lib/funds/cover.ts";
import { decidePostings, unchangedAccounts } from "#lib/ledger/decide.ts";
import type { Posted } from "#lib/ledger/decide.ts";
import type { WriteContext } from "#lib/base/context.ts";
import { DomainError } from "#lib/base/errors.ts";
import { lockForSweep, toSettlement } from "#lib/purchases/internal/settlement.ts";
import type { Settlement } from "#lib/purchases/internal/settlement.ts";
import type { Changes } from "#lib/transactions/write-changes.ts";

/** Money that the card network returns to a card. */
export interface Receipt {
  /** Minor units. */
  amount: number;
  /** The parts that repay the cover of purchases (overdrafts that the float paid), and go on to the float. */
  returns: readonly CoverReturn[];
}

/** A decided receipt. */
export interface ReceiptSettlement extends Settlement {
  posted: Posted;
  /** The records of the cover that is given back. */
  returned: Partial<Changes>;
}

/**
 * Decides a payment from the network to a card. The card then returns the cover of its purchases to the float. A closed
 * card passes on everything.
 * @throws DomainError `balance_limit_exceeded`.
 */
export async function decideReceipt(
  ctx: WriteContext,
  locked: LockedCard,
  { amount, returns }: Receipt,
): Promise<ReceiptSettlement> {
  const isSpent = false;
  const card =
    returns.length > 0
      ? await lockWithFloat(ctx, locked)
      : await lockForSweep(ctx, locked, isSpent);
  const { integrator, account, accounts } = card;
  const { results, ...changes } = decidePostings(unchangedAccounts(accounts), [
    {
      kind: "card_refund",
      debitAccountId: integrator.networkId,
      creditAccountId: account.id,
      amount,
      currency: integrator.currency,
      idempotencyKey: ctx.idempotencyKey ?? null,
      requestId: ctx.request.id,
    },
  ]);
  const [received] = results;
  if (!received?.posted) {
    throw new DomainError(
      "balance_limit_exceeded",
      "The receiving balance would exceed the maximum.",
    );
  }
  const {
    accounts: _,
    balances,
    postings,
    ...returned
  }: Changes = returns.length > 0 ? decideCoverReturn(ctx, card, { changes, returns }) : changes;
  const after = { accounts, balances, postings };
  return {
    ...toSettlement(ctx, card, { changes: after, isSpent }),
    posted: received.transfers[0],
    returned,
  };
}
